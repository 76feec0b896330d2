package io.lazuli.transfer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.transfer.AwkwardEntities;
import io.lazuli.transfer.entity.Entity;
import io.lazuli.transfer.progress.Json;
import io.lazuli.transfer.table.TestTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes with a heap of 64 MiB are killed as soon as they have saved a state, and repeated. */
class KillIT {
  private static final int ENTITIES = 20_000;
  private static final int TRIES_MAX = 5;
  private static final String SOURCE = Commands.name();

  @TempDir Path folder;

  @BeforeAll
  static void fill() {
    TestTable.insert(Commands.table(SOURCE), TestTable.many(ENTITIES));
  }

  /** Kills a command when a file exists; returns whether it was killed before it ended. */
  private static boolean kill(Path state, Object... args) throws Exception {
    Process process = Commands.start(args);
    while (process.isAlive() && !Files.exists(state)) {
      process.waitFor(1, TimeUnit.MILLISECONDS);
    }
    process.destroyForcibly();
    return process.waitFor() != 0;
  }

  @Test
  void aKilledExportContinuesAndTheFileIsTheSame() throws Exception {
    for (String format : List.of("jsonl", "parquet")) {
      Path whole = folder.resolve("whole." + format);
      Commands.succeed("export", "table", SOURCE, whole);
      Path file = folder.resolve("killed." + format);
      Path state = folder.resolve("killed." + format + ".export/state.json");
      int tries = 0;
      while (!kill(state, "export", "table", "--parallel", 2, SOURCE, file)) {
        assertThat(++tries).as("the export ended before the kill").isLessThan(TRIES_MAX);
        Files.delete(file);
      }
      assertThat(file).doesNotExist();
      assertThat(Files.readString(state)).contains("\"done\":false");
      Commands.succeed("export", "table", SOURCE, file);
      assertThat(Files.mismatch(whole, file)).isEqualTo(-1);
      assertThat(state.getParent()).doesNotExist();
    }
  }

  @Test
  void aKilledImportContinuesAndTheTableIsTheSame() throws Exception {
    Path file = folder.resolve("all.csv");
    Commands.succeed("export", "table", SOURCE, file);
    Path state = folder.resolve("all.csv.import");
    String target = Commands.name();
    int tries = 0;
    while (!kill(state, "import", "table", "--parallel", 2, target, file)) {
      assertThat(++tries).as("the import ended before the kill").isLessThan(TRIES_MAX);
      target = Commands.name();
    }
    assertThat(comparable(target)).hasSizeLessThan(ENTITIES);
    Map<String, Object> saved = Json.read(Files.readString(state));
    assertThat((Long) saved.get("position")).isPositive();
    Commands.succeed("import", "table", target, file);
    assertThat(comparable(target)).isEqualTo(comparable(SOURCE));
    assertThat(state).doesNotExist();
  }

  private static List<Entity> comparable(String table) {
    return Commands.entities(table).stream().map(AwkwardEntities::comparable).toList();
  }

  @Test
  void theStateOfAnotherTransferIsNotUsed() throws IOException {
    Path file = folder.resolve("f.jsonl");
    Path state = folder.resolve("f.jsonl.export/state.json");
    Files.createDirectory(state.getParent());
    Files.writeString(state, "{\"transfer\":{\"table\":\"another\"},\"parts\":[]}");
    Commands.Result result = Commands.run("export", "table", SOURCE, file);
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("another");
    assertThat(file).doesNotExist();
  }
}
