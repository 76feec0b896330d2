package io.lazuli.transfer.parquet;

import io.lazuli.transfer.entity.Entity;
import io.lazuli.transfer.format.EntityInput;
import io.lazuli.transfer.http.TransferException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/**
 * Reads a Parquet file. A position is a number of rows. Files of other programs are read too if
 * they have the columns {@code PartitionKey} and {@code RowKey} and no nested ones.
 */
public final class ParquetInput implements EntityInput {
  private final ParquetFileReader reader;
  private final MessageType schema;
  private final EntityBuilder entity;
  private @Nullable RecordReader<Entity> rows;
  private long rowsLeft;
  private long position;

  public ParquetInput(Path file, long position) throws IOException {
    reader =
        ParquetFileReader.open(
            new LocalInputFile(file),
            ParquetReadOptions.builder(new PlainParquetConfiguration()).build());
    schema = reader.getFooter().getFileMetaData().getSchema();
    List<ColumnReader> columns = new ArrayList<>();
    for (Type field : schema.getFields()) {
      columns.add(ColumnReader.of(field));
    }
    for (String key : List.of("PartitionKey", "RowKey")) {
      if (!schema.containsField(key)) {
        throw new TransferException(file + " has no column " + key);
      }
    }
    entity = new EntityBuilder(columns);
    skip(position);
  }

  /** Skips whole row groups without reading them, then single rows. */
  private void skip(long count) throws IOException {
    for (BlockMetaData group : reader.getRowGroups()) {
      if (position + group.getRowCount() > count) {
        break;
      }
      reader.skipNextRowGroup();
      position += group.getRowCount();
    }
    while (position < count && next() != null) {
      // The row is skipped.
    }
  }

  @Override
  public @Nullable Entity next() throws IOException {
    if (rowsLeft == 0) {
      PageReadStore pages = reader.readNextRowGroup();
      if (pages == null) {
        return null;
      }
      rowsLeft = pages.getRowCount();
      rows = new ColumnIOFactory().getColumnIO(schema).getRecordReader(pages, entity);
    }
    RecordReader<Entity> current = rows;
    if (current == null) {
      return null;
    }
    rowsLeft--;
    position++;
    return current.read();
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public long end() {
    return reader.getRecordCount();
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
