package io.lazuli.transfer.parquet;

import io.lazuli.transfer.entity.EdmType;
import io.lazuli.transfer.entity.Entity;
import io.lazuli.transfer.entity.Property;
import io.lazuli.transfer.format.Column;
import io.lazuli.transfer.format.EntityOutput;
import io.lazuli.transfer.format.UnpairedText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.jspecify.annotations.Nullable;

/** Writes a Parquet file. Row groups are small, so that readers and writers need little memory. */
@SuppressWarnings(
    "deprecation") // Methods with Hadoop's Configuration are abstract, and not called.
public final class ParquetOutput implements EntityOutput {
  private static final long ROW_GROUP_BYTES = 4L << 20;
  private static final int PAGE_BYTES = 64 * 1024;

  private final ParquetWriter<Entity> writer;

  public ParquetOutput(Path file, SortedSet<Column> columns) throws IOException {
    writer =
        new Builder(new LocalOutputFile(file), new ParquetColumns(columns))
            .withConf(new PlainParquetConfiguration())
            .withCompressionCodec(CompressionCodecName.SNAPPY)
            .withRowGroupSize(ROW_GROUP_BYTES)
            .withPageSize(PAGE_BYTES)
            .withMinRowCountForPageSizeCheck(10)
            .withMaxRowCountForPageSizeCheck(1000)
            .build();
  }

  @Override
  public void write(Entity entity) throws IOException {
    writer.write(entity);
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }

  private static final class Builder extends ParquetWriter.Builder<Entity, Builder> {
    private final ParquetColumns columns;

    Builder(OutputFile file, ParquetColumns columns) {
      super(file);
      this.columns = columns;
    }

    @Override
    protected Builder self() {
      return this;
    }

    @Override
    protected WriteSupport<Entity> getWriteSupport(Configuration configuration) {
      return new EntityWriteSupport(columns);
    }

    @Override
    protected WriteSupport<Entity> getWriteSupport(ParquetConfiguration configuration) {
      return new EntityWriteSupport(columns);
    }
  }

  /** Writes the properties of an entity in the order in which they come. */
  private static final class EntityWriteSupport extends WriteSupport<Entity> {
    private final ParquetColumns columns;
    private @Nullable RecordConsumer consumer;

    EntityWriteSupport(ParquetColumns columns) {
      this.columns = columns;
    }

    @Override
    public WriteContext init(Configuration configuration) {
      return new WriteContext(columns.schema(), Map.of());
    }

    @Override
    public WriteContext init(ParquetConfiguration configuration) {
      return new WriteContext(columns.schema(), Map.of());
    }

    @Override
    public void prepareForWrite(RecordConsumer recordConsumer) {
      consumer = recordConsumer;
    }

    @Override
    public void write(Entity entity) {
      RecordConsumer out = Objects.requireNonNull(consumer);
      out.startMessage();
      string(out, ParquetColumns.PARTITION_KEY, entity.key().partition());
      string(out, ParquetColumns.ROW_KEY, entity.key().row());
      if (!entity.timestamp().isEmpty()) {
        start(out, ParquetColumns.TIMESTAMP);
        out.addLong(EdmTime.parse(entity.timestamp()).micros());
        end(out, ParquetColumns.TIMESTAMP);
      }
      for (Property property : entity.properties()) {
        property(out, property);
      }
      out.endMessage();
    }

    private void property(RecordConsumer out, Property property) {
      Column column = Column.of(property);
      int place = columns.place(column);
      String text = property.text();
      if (property.type() == EdmType.DATE_TIME) {
        time(out, place, EdmTime.parse(text));
        return;
      }
      start(out, place);
      switch (property.type()) {
        case STRING ->
            out.addBinary(Binary.fromString(column.escaped() ? UnpairedText.escape(text) : text));
        case INT32 -> out.addInteger(Integer.parseInt(text));
        case INT64 -> out.addLong(Long.parseLong(text));
        case DOUBLE -> out.addDouble(Double.parseDouble(text));
        case BOOLEAN -> out.addBoolean(Boolean.parseBoolean(text));
        case NULL -> out.addBoolean(true);
        case GUID -> out.addBinary(guid(UUID.fromString(text)));
        case BINARY ->
            out.addBinary(Binary.fromConstantByteArray(Base64.getDecoder().decode(text)));
        case DATE_TIME -> throw new IllegalStateException();
      }
      end(out, place);
    }

    private void time(RecordConsumer out, int place, EdmTime time) {
      start(out, place);
      out.addLong(time.micros());
      end(out, place);
      if (time.ticks() > 0) {
        start(out, place + 1);
        out.addInteger(time.ticks());
        end(out, place + 1);
      }
    }

    private static Binary guid(UUID guid) {
      return Binary.fromConstantByteArray(
          ByteBuffer.allocate(16)
              .putLong(guid.getMostSignificantBits())
              .putLong(guid.getLeastSignificantBits())
              .array());
    }

    private void string(RecordConsumer out, int place, String text) {
      start(out, place);
      out.addBinary(Binary.fromString(text));
      end(out, place);
    }

    private void start(RecordConsumer out, int place) {
      out.startField(columns.schema().getFieldName(place), place);
    }

    private void end(RecordConsumer out, int place) {
      out.endField(columns.schema().getFieldName(place), place);
    }
  }
}
