package io.lazuli.transfer.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.transfer.entity.EdmType;
import io.lazuli.transfer.entity.Entity;
import io.lazuli.transfer.entity.EntityJson;
import io.lazuli.transfer.entity.Key;
import io.lazuli.transfer.entity.Property;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ten million entities pass through processes with a heap of 64 MiB, in each format. {@code
 * -Dtransfer.entities=N} sets another number, {@code -Dtransfer.formats=jsonl,parquet} other
 * formats.
 */
@Tag("long")
class LargeTableIT {
  private static final String FORMATS = System.getProperty("transfer.formats", "jsonl,csv,parquet");

  private static final int ENTITIES = Integer.getInteger("transfer.entities", 10_000_000);
  private static final int PARTITION = 50_000;

  @TempDir Path folder;

  @Test
  void manyEntitiesNeedLittleMemory() throws Exception {
    String source = Commands.name();
    run("import", "table", "--parallel", 8, source, file());
    Path reference = folder.resolve("source.csv");
    run("export", "table", source, reference);
    Path expected = withoutTimes(reference);
    for (String format : FORMATS.split(",", -1)) {
      Path file = folder.resolve("first." + format);
      run("export", "table", source, file);
      String target = Commands.name();
      run("import", "table", target, file);
      Path again = folder.resolve("again." + format + ".csv");
      run("export", "table", target, again);
      assertThat(Files.mismatch(expected, withoutTimes(again))).as(format).isEqualTo(-1);
      run("table", "purge", "--yes", target);
    }
  }

  /** Writes the entities to a file, without keeping them in memory. */
  private Path file() throws IOException {
    Path file = folder.resolve("entities.jsonl");
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < ENTITIES; i++) {
        line.setLength(0);
        EntityJson.writeLine(entity(i), line);
        out.append(line).append('\n');
      }
    }
    return file;
  }

  private static Entity entity(int i) {
    return new Entity(
        new Key(String.format("partition-%05d", i / PARTITION), String.format("%08d", i)),
        "",
        List.of(
            new Property("Number", EdmType.INT64, Long.toString(i * 7919L)),
            new Property("Text", EdmType.STRING, "text of the entity " + i),
            new Property("Share", EdmType.DOUBLE, Double.toString(i / 7.0))));
  }

  private static void run(Object... args) throws Exception {
    long start = System.nanoTime();
    assertThat(Commands.start(args).waitFor()).isZero();
    System.err.println(
        String.join(" ", List.of(args).stream().map(String::valueOf).toList())
            + ": "
            + (System.nanoTime() - start) / 1_000_000
            + " ms");
  }

  /** Writes a CSV file without its third column, the time of the last change. */
  private static Path withoutTimes(Path file) throws Exception {
    Path cut = file.resolveSibling(file.getFileName() + ".cut");
    try (var lines = Files.lines(file);
        var out = Files.newBufferedWriter(cut)) {
      for (String line : (Iterable<String>) lines::iterator) {
        out.write(line.replaceFirst("^([^,]*,[^,]*),[^,]*", "$1") + "\n");
      }
    }
    return cut;
  }
}
