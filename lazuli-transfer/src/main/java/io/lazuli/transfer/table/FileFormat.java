package io.lazuli.transfer.table;

import io.lazuli.transfer.format.CsvInput;
import io.lazuli.transfer.format.EntityInput;
import io.lazuli.transfer.format.JsonLinesInput;
import io.lazuli.transfer.http.TransferException;
import io.lazuli.transfer.parquet.ParquetInput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/** The formats of files with entities. */
public enum FileFormat {
  JSONL,
  CSV,
  PARQUET;

  /** Returns the format that the name of a file ends with. */
  public static FileFormat of(Path file) {
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    for (FileFormat format : values()) {
      if (name.endsWith("." + format.name().toLowerCase(Locale.ROOT))) {
        return format;
      }
    }
    throw new TransferException(
        file + " ends neither with .jsonl nor .csv nor .parquet; use --format");
  }

  EntityInput open(Path file, long position) throws IOException {
    return switch (this) {
      case JSONL -> new JsonLinesInput(file, position);
      case CSV -> new CsvInput(file, position);
      case PARQUET -> new ParquetInput(file, position);
    };
  }
}
