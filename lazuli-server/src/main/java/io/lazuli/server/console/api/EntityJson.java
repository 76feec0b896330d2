package io.lazuli.server.console.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.lazuli.server.console.json.ConsoleErrors;
import io.lazuli.server.console.json.JsonBody;
import io.lazuli.server.table.encoding.EntityCodec;
import io.lazuli.server.table.encoding.Utf8;
import io.lazuli.server.table.model.DateTimeText;
import io.lazuli.server.table.model.ETag;
import io.lazuli.server.table.model.EdmType;
import io.lazuli.server.table.model.EdmValue;
import io.lazuli.server.table.model.EdmValue.BinaryValue;
import io.lazuli.server.table.model.EdmValue.BooleanValue;
import io.lazuli.server.table.model.EdmValue.DateTimeValue;
import io.lazuli.server.table.model.EdmValue.DoubleValue;
import io.lazuli.server.table.model.EdmValue.GuidValue;
import io.lazuli.server.table.model.EdmValue.Int32Value;
import io.lazuli.server.table.model.EdmValue.Int64Value;
import io.lazuli.server.table.model.EdmValue.StringValue;
import io.lazuli.server.table.model.Property;
import io.lazuli.server.table.model.SystemProperties;
import io.lazuli.server.table.service.StoredEntity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Entities in the routes: rows out, values in. No number passes through a double. */
final class EntityJson {
  /** A row with more stored bytes than this has its long values cut. */
  static final int ROW_BYTES_MAX = 16 << 10;

  private static final int CUT_CHARS = 1 << 10;
  private static final int CUT_BYTES = 64;

  private EntityJson() {}

  /**
   * Writes an entity as an object.
   *
   * @param select the names of the properties that are wanted; null for all
   * @param whole true if no value is cut
   */
  static void row(
      JsonGenerator json, StoredEntity entity, @Nullable Set<String> select, boolean whole)
      throws IOException {
    json.writeStartObject();
    fields(json, entity, select, whole);
    json.writeEndObject();
  }

  /** Writes the fields of an entity into an object that is open. */
  static void fields(
      JsonGenerator json, StoredEntity entity, @Nullable Set<String> select, boolean whole)
      throws IOException {
    long ticks = EntityCodec.ticks(entity.record());
    json.writeArrayFieldStart("k");
    json.writeString(Utf8.decode(entity.partition(), 0, entity.partition().length));
    json.writeString(Utf8.decode(entity.row(), 0, entity.row().length));
    json.writeEndArray();
    json.writeStringField("e", ETag.text(ticks));
    json.writeStringField("ts", DateTimeText.format(ticks));
    boolean cut = !whole && entity.record().length > ROW_BYTES_MAX;
    json.writeObjectFieldStart("v");
    for (Property property : EntityCodec.properties(entity.record())) {
      if (select == null || select.contains(property.name())) {
        json.writeFieldName(property.name());
        value(json, property.value(), cut);
      }
    }
    json.writeEndObject();
  }

  private static void value(JsonGenerator json, EdmValue value, boolean cut) throws IOException {
    switch (value.type()) {
      case STRING -> string(json, ((StringValue) value).value(), cut);
      case INT32 -> json.writeNumber(((Int32Value) value).value());
      case BOOLEAN -> json.writeBoolean(((BooleanValue) value).value());
      case DOUBLE -> number(json, ((DoubleValue) value).value());
      case INT64 -> typed(json, EdmType.INT64, Long.toString(((Int64Value) value).value()));
      case DATE_TIME ->
          typed(json, EdmType.DATE_TIME, DateTimeText.format(((DateTimeValue) value).ticks()));
      case GUID -> typed(json, EdmType.GUID, ((GuidValue) value).value().toString());
      case BINARY -> binary(json, ((BinaryValue) value).value(), cut);
    }
  }

  private static void string(JsonGenerator json, String text, boolean cut) throws IOException {
    if (!cut || text.length() <= CUT_CHARS) {
      json.writeString(text);
      return;
    }
    json.writeStartObject();
    json.writeStringField("t", name(EdmType.STRING));
    json.writeNumberField("cut", CUT_CHARS);
    json.writeNumberField("length", text.length());
    json.writeStringField("v", text.substring(0, CUT_CHARS));
    json.writeEndObject();
  }

  private static void binary(JsonGenerator json, byte[] bytes, boolean cut) throws IOException {
    boolean shorter = cut && bytes.length > CUT_BYTES;
    json.writeStartObject();
    json.writeStringField("t", name(EdmType.BINARY));
    if (shorter) {
      json.writeNumberField("cut", CUT_BYTES);
      json.writeNumberField("length", bytes.length);
    }
    byte[] shown = shorter ? Arrays.copyOf(bytes, CUT_BYTES) : bytes;
    json.writeStringField("v", Base64.getEncoder().encodeToString(shown));
    json.writeEndObject();
  }

  /** Writes a number plainly if a reader recognises it as a Double: it has a fraction. */
  private static void number(JsonGenerator json, double value) throws IOException {
    if (Double.isFinite(value) && value != Math.rint(value)) {
      json.writeNumber(value);
    } else {
      typed(json, EdmType.DOUBLE, Double.toString(value));
    }
  }

  private static void typed(JsonGenerator json, EdmType type, String text) throws IOException {
    json.writeStartObject();
    json.writeStringField("t", name(type));
    json.writeStringField("v", text);
    json.writeEndObject();
  }

  static String name(EdmType type) {
    return type.edmName().substring("Edm.".length());
  }

  /** Reads the properties of an entity. Keys and timestamp do not belong among them. */
  static List<Property> properties(@Nullable Map<String, @Nullable Object> values) {
    List<Property> properties = new ArrayList<>();
    if (values == null) {
      throw ConsoleErrors.badRequest("The field v is missing.");
    }
    values.forEach(
        (name, value) -> {
          if (SystemProperties.type(name) != null) {
            throw ConsoleErrors.badRequest("Keys and Timestamp are not values.");
          }
          properties.add(new Property(name, value(value)));
        });
    return properties;
  }

  private static EdmValue value(@Nullable Object value) {
    if (value instanceof String text) {
      return new StringValue(text);
    } else if (value instanceof Boolean bool) {
      return new BooleanValue(bool);
    } else if (value instanceof JsonBody.NumberText number) {
      boolean whole = number.text().matches("-?\\d+");
      return parse(whole ? EdmType.INT32 : EdmType.DOUBLE, number.text());
    } else if (value instanceof Map<?, ?> typed && typed.keySet().equals(Set.of("t", "v"))) {
      EdmType type = EdmType.find("Edm." + typed.get("t"));
      if (type == null) {
        throw ConsoleErrors.badRequest("A value has a type that does not exist.");
      }
      Object inner = typed.get("v");
      String text =
          inner instanceof JsonBody.NumberText number ? number.text() : String.valueOf(inner);
      return parse(type, text);
    }
    throw ConsoleErrors.badRequest("A value is neither JSON of a type nor {\"t\",\"v\"}.");
  }

  private static EdmValue parse(EdmType type, String text) {
    try {
      return switch (type) {
        case STRING -> new StringValue(text);
        case INT32 -> new Int32Value(Integer.parseInt(text));
        case INT64 -> new Int64Value(Long.parseLong(text));
        case DOUBLE -> new DoubleValue(Double.parseDouble(text));
        case BOOLEAN -> new BooleanValue(bool(text));
        case DATE_TIME -> new DateTimeValue(time(text));
        case GUID -> new GuidValue(guid(text));
        case BINARY -> new BinaryValue(Base64.getDecoder().decode(text));
      };
    } catch (IllegalArgumentException e) {
      throw ConsoleErrors.badRequest("A value is not one of type " + name(type) + ".");
    }
  }

  private static boolean bool(String text) {
    if (text.equals("true") || text.equals("false")) {
      return text.equals("true");
    }
    throw new IllegalArgumentException("not a Boolean");
  }

  private static UUID guid(String text) {
    UUID guid = UUID.fromString(text);
    if (!guid.toString().equalsIgnoreCase(text)) {
      throw new IllegalArgumentException("not a Guid");
    }
    return guid;
  }

  private static long time(String text) {
    Long ticks = DateTimeText.parse(text);
    if (ticks == null) {
      throw new IllegalArgumentException("not a time");
    }
    return ticks;
  }
}
