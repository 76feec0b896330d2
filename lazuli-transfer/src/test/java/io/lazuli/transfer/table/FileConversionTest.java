package io.lazuli.transfer.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.transfer.AwkwardEntities;
import io.lazuli.transfer.entity.Entity;
import io.lazuli.transfer.format.EntityInput;
import io.lazuli.transfer.format.JsonLinesOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that goes through every format comes back as it was. */
class FileConversionTest {
  @TempDir Path folder;

  @Test
  void everyFormatKeepsEverything() throws IOException {
    List<Entity> awkward = AwkwardEntities.all().stream().map(AwkwardEntities::comparable).toList();
    Path first = folder.resolve("first.jsonl");
    try (JsonLinesOutput out = new JsonLinesOutput(first)) {
      for (Entity entity : awkward) {
        out.write(entity);
      }
    }
    Path csv = folder.resolve("a.csv");
    Path parquet = folder.resolve("a.parquet");
    Path last = folder.resolve("last.jsonl");
    assertThat(convert(first, csv)).isEqualTo(awkward.size());
    assertThat(convert(csv, parquet)).isEqualTo(awkward.size());
    assertThat(convert(parquet, last)).isEqualTo(awkward.size());
    List<Entity> read = new ArrayList<>();
    try (EntityInput in = FileFormat.JSONL.open(last, 0)) {
      for (Entity entity = in.next(); entity != null; entity = in.next()) {
        read.add(AwkwardEntities.comparable(entity));
      }
    }
    assertThat(read).isEqualTo(awkward);
  }

  private static long convert(Path from, Path to) throws IOException {
    return FileConversion.run(from, FileFormat.of(from), to, FileFormat.of(to));
  }
}
