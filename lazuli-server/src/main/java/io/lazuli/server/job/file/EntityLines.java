package io.lazuli.server.job.file;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import io.lazuli.server.table.encoding.EntityCodec;
import io.lazuli.server.table.encoding.Utf8;
import io.lazuli.server.table.model.DateTimeText;
import io.lazuli.server.table.model.EdmType;
import io.lazuli.server.table.model.EdmValue;
import io.lazuli.server.table.model.EdmValue.BooleanValue;
import io.lazuli.server.table.model.EdmValue.DoubleValue;
import io.lazuli.server.table.model.EdmValue.Int32Value;
import io.lazuli.server.table.model.Property;
import io.lazuli.server.table.service.StoredEntity;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** Writes entities as JSON Lines: the JSON of the protocol, one entity a line. */
public final class EntityLines {
  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private EntityLines() {}

  /** Returns the lines of entities. */
  public static byte[] of(List<StoredEntity> entities) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(64 << 10);
    try {
      for (StoredEntity entity : entities) {
        try (JsonGenerator json = FACTORY.createGenerator(out)) {
          write(json, entity);
        }
        out.write('\n');
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private static void write(JsonGenerator json, StoredEntity entity) throws IOException {
    json.writeStartObject();
    json.writeStringField("PartitionKey", text(entity.partition()));
    json.writeStringField("RowKey", text(entity.row()));
    json.writeStringField("Timestamp", DateTimeText.format(EntityCodec.ticks(entity.record())));
    for (Property property : EntityCodec.properties(entity.record())) {
      EdmValue value = property.value();
      if (!isPlain(value)) {
        json.writeStringField(property.name() + "@odata.type", value.type().edmName());
      }
      json.writeFieldName(property.name());
      value(json, value);
    }
    json.writeEndObject();
  }

  /** Returns whether the JSON form shows the type (table-rest 4.3). */
  private static boolean isPlain(EdmValue value) {
    return switch (value.type()) {
      case STRING, INT32, BOOLEAN -> true;
      case DOUBLE -> Double.isFinite(((DoubleValue) value).value());
      case INT64, DATE_TIME, GUID, BINARY -> false;
    };
  }

  private static void value(JsonGenerator json, EdmValue value) throws IOException {
    if (value.type() == EdmType.INT32) {
      json.writeNumber(((Int32Value) value).value());
    } else if (value.type() == EdmType.BOOLEAN) {
      json.writeBoolean(((BooleanValue) value).value());
    } else if (value.type() == EdmType.DOUBLE && isPlain(value)) {
      json.writeNumber(((DoubleValue) value).value());
    } else {
      json.writeString(ValueText.of(value));
    }
  }

  static String text(byte[] key) {
    return Utf8.decode(key, 0, key.length);
  }
}
