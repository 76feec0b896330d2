package io.lazuli.transfer.progress;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.lazuli.transfer.entity.EntityJson;
import io.lazuli.transfer.http.TransferException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Small JSON documents as maps, lists, strings, longs and booleans. */
public final class Json {
  public static final JsonFactory FACTORY = new JsonFactory();

  private Json() {}

  /** Reads an object. */
  public static Map<String, @Nullable Object> read(String text) {
    try (JsonParser parser = FACTORY.createParser(text)) {
      parser.nextToken();
      if (value(parser) instanceof Map<?, ?> map) {
        return map(map);
      }
    } catch (IOException e) {
      throw new TransferException("damaged JSON: " + e.getMessage(), e);
    }
    throw new TransferException("damaged JSON: not an object");
  }

  /** Returns an object as a map with names. */
  public static Map<String, @Nullable Object> map(@Nullable Object value) {
    Map<String, @Nullable Object> typed = new LinkedHashMap<>();
    if (value instanceof Map<?, ?> map) {
      map.forEach((name, member) -> typed.put(String.valueOf(name), member));
    }
    return typed;
  }

  public static List<?> list(@Nullable Object value) {
    return value instanceof List<?> list ? list : List.of();
  }

  public static long number(@Nullable Object value) {
    return value instanceof Long number ? number : 0;
  }

  public static String text(@Nullable Object value) {
    return value instanceof String text ? text : "";
  }

  private static @Nullable Object value(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> array(parser);
      case VALUE_STRING -> parser.getText();
      case VALUE_NUMBER_INT -> parser.getLongValue();
      case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      default -> null;
    };
  }

  private static Map<String, @Nullable Object> object(JsonParser parser) throws IOException {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      members.put(name, value(parser));
    }
    return members;
  }

  private static List<@Nullable Object> array(JsonParser parser) throws IOException {
    List<@Nullable Object> elements = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      elements.add(value(parser));
    }
    return elements;
  }

  /** Writes a map, list, string, number, boolean or null on one line. */
  public static String write(@Nullable Object value) {
    StringBuilder out = new StringBuilder();
    write(value, out);
    return out.toString();
  }

  private static void write(@Nullable Object value, StringBuilder out) {
    if (value instanceof Map<?, ?> map) {
      String separator = "{";
      for (Map.Entry<?, ?> member : map.entrySet()) {
        out.append(separator);
        EntityJson.quote(String.valueOf(member.getKey()), out);
        out.append(':');
        write(member.getValue(), out);
        separator = ",";
      }
      out.append(map.isEmpty() ? "{}" : "}");
    } else if (value instanceof List<?> list) {
      String separator = "[";
      for (Object element : list) {
        out.append(separator);
        write(element, out);
        separator = ",";
      }
      out.append(list.isEmpty() ? "[]" : "]");
    } else if (value instanceof String text) {
      EntityJson.quote(text, out);
    } else {
      out.append(value);
    }
  }
}
