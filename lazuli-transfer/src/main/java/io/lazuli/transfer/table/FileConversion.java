package io.lazuli.transfer.table;

import io.lazuli.transfer.entity.Entity;
import io.lazuli.transfer.entity.Property;
import io.lazuli.transfer.format.Column;
import io.lazuli.transfer.format.CsvOutput;
import io.lazuli.transfer.format.EntityInput;
import io.lazuli.transfer.format.EntityOutput;
import io.lazuli.transfer.format.JsonLinesOutput;
import io.lazuli.transfer.http.TransferException;
import io.lazuli.transfer.parquet.ParquetOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.SortedSet;
import java.util.TreeSet;

/** Writes the entities of a file to a file of another format. It talks to no server. */
public final class FileConversion {
  private FileConversion() {}

  /** Converts a file; returns the number of entities. */
  public static long run(Path from, FileFormat fromFormat, Path to, FileFormat toFormat)
      throws IOException {
    // CSV and Parquet begin with the columns of all entities.
    SortedSet<Column> columns =
        toFormat == FileFormat.JSONL ? new TreeSet<>() : columns(from, fromFormat);
    long count = 0;
    try (EntityInput in = fromFormat.open(from, 0);
        EntityOutput out = open(to, toFormat, columns)) {
      for (Entity entity = in.next(); entity != null; entity = in.next()) {
        out.write(entity);
        count++;
      }
    }
    return count;
  }

  private static SortedSet<Column> columns(Path file, FileFormat format) throws IOException {
    SortedSet<Column> columns = new TreeSet<>();
    try (EntityInput in = format.open(file, 0)) {
      for (Entity entity = in.next(); entity != null; entity = in.next()) {
        for (Property property : entity.properties()) {
          columns.add(Column.of(property));
        }
        if (columns.size() > TableExport.COLUMNS_MAX) {
          throw new TransferException(
              "the file has more than "
                  + TableExport.COLUMNS_MAX
                  + " pairs of a property's name and type; only jsonl can hold them");
        }
      }
    }
    return columns;
  }

  private static EntityOutput open(Path file, FileFormat format, SortedSet<Column> columns)
      throws IOException {
    return switch (format) {
      case JSONL -> new JsonLinesOutput(file);
      case CSV -> new CsvOutput(file, columns);
      case PARQUET -> new ParquetOutput(file, columns);
    };
  }
}
