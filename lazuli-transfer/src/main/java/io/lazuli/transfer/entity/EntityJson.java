package io.lazuli.transfer.entity;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.lazuli.transfer.http.TransferException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads and writes entities as the JSON of the protocol (table-rest 4.3), in files as on wires. */
public final class EntityJson {
  private static final String TYPE = "@odata.type";
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

  private EntityJson() {}

  /** A scalar as it was in the JSON, before its type is known. */
  private record Scalar(JsonToken token, String text) {}

  /** Reads an object whose first token is the current one. */
  public static Entity read(JsonParser parser) throws IOException {
    Map<String, Scalar> values = new LinkedHashMap<>();
    Map<String, String> types = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      JsonToken token = parser.nextToken();
      if (token == null || token.isStructStart()) {
        throw new TransferException("the property " + name + " is an object or an array");
      }
      if (name.endsWith(TYPE)) {
        types.put(name.substring(0, name.length() - TYPE.length()), parser.getText());
      } else if (!name.startsWith("odata.")) {
        values.put(name, new Scalar(token, parser.getText()));
      }
    }
    Key key = new Key(key(values, "PartitionKey"), key(values, "RowKey"));
    Scalar timestamp = values.remove("Timestamp");
    List<Property> properties = new ArrayList<>(values.size());
    values.forEach((name, value) -> properties.add(property(name, value, types.get(name))));
    return new Entity(key, timestamp == null ? "" : timestamp.text(), properties);
  }

  private static String key(Map<String, Scalar> values, String name) {
    Scalar value = values.remove(name);
    if (value == null || value.token() != JsonToken.VALUE_STRING) {
      throw new TransferException("an entity has no " + name + " that is a string");
    }
    return value.text();
  }

  private static Property property(String name, Scalar value, @Nullable String label) {
    if (value.token() == JsonToken.VALUE_NULL) {
      return new Property(name, EdmType.NULL, "");
    }
    EdmType type = label == null ? inferred(value) : EdmType.find(label);
    if (type == null) {
      throw new TransferException("the property " + name + " has the unknown type " + label);
    }
    return new Property(name, type, value.text());
  }

  private static EdmType inferred(Scalar value) {
    return switch (value.token()) {
      case VALUE_TRUE, VALUE_FALSE -> EdmType.BOOLEAN;
      case VALUE_NUMBER_INT -> EdmType.INT32;
      case VALUE_NUMBER_FLOAT -> EdmType.DOUBLE;
      default -> EdmType.STRING;
    };
  }

  /** Writes an entity for a request, without the time that the service sets. */
  public static void writeRequest(Entity entity, StringBuilder out) {
    write(entity, "", out);
  }

  /** Writes an entity for a file: one line, without its end. */
  public static void writeLine(Entity entity, StringBuilder out) {
    write(entity, entity.timestamp(), out);
  }

  private static void write(Entity entity, String timestamp, StringBuilder out) {
    out.append("{\"PartitionKey\":");
    quote(entity.key().partition(), out);
    out.append(",\"RowKey\":");
    quote(entity.key().row(), out);
    if (!timestamp.isEmpty()) {
      out.append(",\"Timestamp\":");
      quote(timestamp, out);
    }
    for (Property property : entity.properties()) {
      out.append(',');
      write(property, out);
    }
    out.append('}');
  }

  private static void write(Property property, StringBuilder out) {
    boolean bare = isBare(property);
    if (!isInferred(property.type(), bare)) {
      quote(property.name() + TYPE, out);
      out.append(':');
      quote(property.type().label(), out);
      out.append(',');
    }
    quote(property.name(), out);
    out.append(':');
    if (property.type() == EdmType.NULL) {
      out.append("null");
    } else if (bare) {
      out.append(property.text());
    } else {
      quote(property.text(), out);
    }
  }

  /**
   * Returns whether the type needs no annotation. Doubles always have one, because programs that
   * edit JSON may write 1.0 as 1.
   */
  private static boolean isInferred(EdmType type, boolean bare) {
    return switch (type) {
      case STRING, NULL -> true;
      case INT32, BOOLEAN -> bare;
      case INT64, DOUBLE, DATE_TIME, GUID, BINARY -> false;
    };
  }

  /**
   * Returns whether the value is written without quotes. Text that does not fit keeps its quotes.
   */
  private static boolean isBare(Property property) {
    return switch (property.type()) {
      case INT32, DOUBLE -> NUMBER.matcher(property.text()).matches();
      case BOOLEAN -> property.text().equals("true") || property.text().equals("false");
      case STRING, INT64, DATE_TIME, GUID, BINARY, NULL -> false;
    };
  }

  /**
   * Writes a JSON string. Unpaired surrogates become escapes, because UTF-8 cannot express them,
   * and so do characters that some programs take for the end of a line.
   */
  public static void quote(String text, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029) {
        escape(c, out);
      } else if (Character.isSurrogate(c)) {
        if (Character.charCount(text.codePointAt(i)) == 2) {
          out.append(c).append(text.charAt(++i));
        } else {
          escape(c, out);
        }
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }

  private static void escape(char c, StringBuilder out) {
    out.append("\\u");
    String hex = Integer.toHexString(c);
    out.append("0000", 0, 4 - hex.length()).append(hex);
  }
}
