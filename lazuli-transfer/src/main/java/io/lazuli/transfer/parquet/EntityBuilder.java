package io.lazuli.transfer.parquet;

import io.lazuli.transfer.entity.EdmType;
import io.lazuli.transfer.entity.Entity;
import io.lazuli.transfer.entity.Key;
import io.lazuli.transfer.entity.Property;
import io.lazuli.transfer.format.UnpairedText;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.io.api.RecordMaterializer;

/** Makes an entity of each row. Mutable; used by one reader. */
final class EntityBuilder extends RecordMaterializer<Entity> {
  private final List<Converter> converters = new ArrayList<>();
  private final GroupConverter root = new Root();
  private final List<Property> properties = new ArrayList<>();
  private String partition = "";
  private String row = "";
  private String timestamp = "";

  EntityBuilder(List<ColumnReader> columns) {
    for (ColumnReader column : columns) {
      converters.add(new Value(column));
    }
  }

  @Override
  public Entity getCurrentRecord() {
    return new Entity(new Key(partition, row), timestamp, properties);
  }

  @Override
  public GroupConverter getRootConverter() {
    return root;
  }

  private void add(ColumnReader column, String text) {
    switch (column.property()) {
      case "PartitionKey" -> partition = text;
      case "RowKey" -> row = text;
      case "Timestamp" -> timestamp = text;
      default -> properties.add(new Property(column.property(), column.type(), text));
    }
  }

  /** Adds ticks to the time before them; the fields of a row come in the order of the columns. */
  private void addTicks(int ticks) {
    int last = properties.size() - 1;
    Property time = properties.get(last);
    EdmTime exact = new EdmTime(EdmTime.parse(time.text()).micros(), ticks);
    properties.set(last, new Property(time.name(), EdmType.DATE_TIME, exact.text()));
  }

  private final class Root extends GroupConverter {
    @Override
    public Converter getConverter(int field) {
      return converters.get(field);
    }

    @Override
    public void start() {
      properties.clear();
      partition = "";
      row = "";
      timestamp = "";
    }

    @Override
    public void end() {}
  }

  private final class Value extends PrimitiveConverter {
    private final ColumnReader column;

    Value(ColumnReader column) {
      this.column = column;
    }

    @Override
    public void addBinary(Binary value) {
      add(
          column,
          switch (column.type()) {
            case STRING ->
                column.escaped()
                    ? UnpairedText.unescape(value.toStringUsingUTF8())
                    : value.toStringUsingUTF8();
            case GUID -> guid(value.toByteBuffer());
            default -> base64(value.toByteBuffer());
          });
    }

    @Override
    public void addBoolean(boolean value) {
      add(column, column.type() == EdmType.NULL ? "" : Boolean.toString(value));
    }

    @Override
    public void addDouble(double value) {
      add(column, Double.toString(value));
    }

    @Override
    public void addFloat(float value) {
      add(column, Double.toString(value));
    }

    @Override
    public void addInt(int value) {
      if (column.ticks()) {
        addTicks(value);
      } else {
        add(column, Integer.toString(value));
      }
    }

    @Override
    public void addLong(long value) {
      add(
          column,
          column.type() == EdmType.DATE_TIME ? new EdmTime(value, 0).text() : Long.toString(value));
    }

    private static String base64(ByteBuffer bytes) {
      byte[] copy = new byte[bytes.remaining()];
      bytes.get(copy);
      return Base64.getEncoder().encodeToString(copy);
    }

    private static String guid(ByteBuffer bytes) {
      ByteBuffer copy = bytes.slice();
      return new UUID(copy.getLong(), copy.getLong()).toString();
    }
  }
}
