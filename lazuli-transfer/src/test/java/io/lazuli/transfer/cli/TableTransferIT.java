package io.lazuli.transfer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.transfer.AwkwardEntities;
import io.lazuli.transfer.entity.EdmType;
import io.lazuli.transfer.entity.Entity;
import io.lazuli.transfer.entity.Key;
import io.lazuli.transfer.entity.Property;
import io.lazuli.transfer.table.TestTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables go to files and back, through the packed server. */
class TableTransferIT {
  /** More than two pages in one partition, so that both kinds of splits happen. */
  private static final int MANY = 4_000;

  private static final String SOURCE = Commands.name();

  @TempDir Path folder;

  @BeforeAll
  static void fill() {
    TestTable.insert(Commands.table(SOURCE), TestTable.many(MANY));
  }

  private static List<Entity> comparable(String table) {
    return Commands.entities(table).stream().map(AwkwardEntities::comparable).toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"jsonl", "csv", "parquet"})
  void exportAndImportAreTheIdentity(String format) {
    String source = Commands.name();
    List<Entity> awkward = AwkwardEntities.all().stream().map(AwkwardEntities::comparable).toList();
    TestTable.insert(Commands.table(source), awkward);
    assertThat(comparable(source)).as("the service stores them").isEqualTo(awkward);
    Path file = folder.resolve("awkward." + format);
    Commands.succeed("export", "table", source, file);
    String target = Commands.name();
    Commands.succeed("import", "table", target, file);
    assertThat(comparable(target)).isEqualTo(awkward);
    assertThat(folder.toFile().list()).as("no state is left").containsExactly("awkward." + format);
  }

  @ParameterizedTest
  @ValueSource(strings = {"jsonl", "csv", "parquet"})
  void theFileIsTheSameForAnyNumberOfWorkers(String format) throws IOException {
    Path one = folder.resolve("one." + format);
    Path eight = folder.resolve("eight." + format);
    Commands.succeed("export", "table", "--parallel", 1, SOURCE, one);
    String out = Commands.succeed("export", "table", "--parallel", 8, SOURCE, eight);
    assertThat(out).contains("4,000 entities");
    assertThat(Files.mismatch(one, eight)).isEqualTo(-1);
  }

  @Test
  void aFilterChoosesEntities() throws IOException {
    Path file = folder.resolve("some.jsonl");
    Commands.succeed("export", "table", "--filter", "Number lt 10 or Number ge 3990", SOURCE, file);
    assertThat(Files.readAllLines(file)).hasSize(20);
  }

  @Test
  void anImportReplacesOrMerges() throws IOException {
    String table = Commands.name();
    TestTable.insert(
        Commands.table(table),
        List.of(
            new Entity(new Key("p", "r"), "", List.of(new Property("Old", EdmType.INT32, "1")))));
    Path file =
        Files.writeString(
            folder.resolve("f.jsonl"), "{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"New\":\"x\"}\n");
    Commands.succeed("import", "table", "--mode", "merge", table, file);
    assertThat(comparable(table).get(0).properties()).hasSize(2);
    Commands.succeed("import", "table", table, file);
    assertThat(comparable(table).get(0).properties())
        .containsExactly(new Property("New", EdmType.STRING, "x"));
  }

  @Test
  void theLaterEntityOfAFileWins() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 300; i++) {
      text.append("{\"PartitionKey\":\"p\",\"RowKey\":\"" + i % 3 + "\",\"N\":" + i + "}\n");
    }
    String table = Commands.name();
    Commands.succeed("import", "table", table, Files.writeString(folder.resolve("f.jsonl"), text));
    assertThat(comparable(table))
        .extracting(entity -> entity.properties().get(0).text())
        .containsExactly("297", "298", "299");
  }

  @Test
  void aRefusedEntityIsReportedAndTheImportContinuesAfterTheCorrection() throws IOException {
    String good = "{\"PartitionKey\":\"p\",\"RowKey\":\"1\",\"N\":1}\n";
    String bad =
        "{\"PartitionKey\":\"q\",\"RowKey\":\"2\",\"N@odata.type\":\"Edm.Guid\",\"N\":\"1\"}\n";
    Path file = Files.writeString(folder.resolve("f.jsonl"), good + bad);
    String table = Commands.name();
    Commands.Result result = Commands.run("import", "table", "--parallel", 1, table, file);
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("('q', '2')", "InvalidInput");
    // The same length: the state belongs to a file of this length.
    Files.writeString(file, good + bad.replace("Edm.Guid\",\"N\":\"1\"", "Edm.Int64\",\"N\":1 "));
    Commands.succeed("import", "table", table, file);
    assertThat(comparable(table)).hasSize(2);
  }

  @Test
  void countCopyAndPurge() {
    assertThat(Commands.succeed("table", "count", SOURCE)).contains("4,000 entities");
    String target = Commands.name();
    Commands.succeed("table", "copy", SOURCE, target);
    assertThat(comparable(target)).isEqualTo(comparable(SOURCE));
    assertThat(Commands.run("table", "purge", target).code()).isEqualTo(1);
    Commands.succeed("table", "purge", "--yes", "--filter", "Number ge 100", target);
    assertThat(comparable(target)).hasSize(100);
    Commands.succeed("table", "purge", "--yes", target);
    assertThat(comparable(target)).isEmpty();
    assertThat(Commands.succeed("table", "count", "--json", target))
        .contains("\"event\":\"done\",\"entities\":0");
  }

  @Test
  void anExportDoesNotOverwriteUnasked() throws IOException {
    Path file = Files.writeString(folder.resolve("f.csv"), "precious");
    Commands.Result result = Commands.run("export", "table", SOURCE, file);
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("--overwrite");
    assertThat(file).hasContent("precious");
    Commands.succeed("export", "table", "--overwrite", SOURCE, file);
    assertThat(Files.readAllLines(file)).hasSize(MANY + 1);
  }

  @Test
  void aMissingTableIsReported() {
    Commands.Result result =
        Commands.run("export", "table", Commands.name(), folder.resolve("f.jsonl"));
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("TableNotFound");
  }
}
