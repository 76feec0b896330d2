package io.lazuli.server.console.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The JSON object in the body of a request. Numbers stay texts, so that none loses digits. A field
 * that the route does not know is refused, so that a misspelt one does not pass unnoticed.
 */
public final class JsonBody {
  private static final int DEPTH_MAX = 16;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DEPTH_MAX)
                  .maxNumberLength(64)
                  .maxNameLength(8 << 10)
                  .maxStringLength(8 << 20)
                  .build())
          .build();

  /** A number as it was written. */
  public record NumberText(String text) {}

  private final Map<String, @Nullable Object> fields;

  private JsonBody(Map<String, @Nullable Object> fields) {
    this.fields = fields;
  }

  /**
   * Parses an object; an empty body is an empty object.
   *
   * @param known the fields that the route knows
   */
  public static JsonBody parse(byte[] bytes, Set<String> known) {
    if (bytes.length == 0) {
      return new JsonBody(Map.of());
    }
    try (JsonParser json = FACTORY.createParser(bytes)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw ConsoleErrors.badRequest("The body is not a JSON object.");
      }
      Map<String, @Nullable Object> fields = object(json);
      if (json.nextToken() != null) {
        throw ConsoleErrors.badRequest("Something follows the JSON object.");
      }
      for (String name : fields.keySet()) {
        if (!known.contains(name)) {
          throw ConsoleErrors.badRequest("The route has no field of this name.");
        }
      }
      return new JsonBody(fields);
    } catch (IOException e) {
      throw ConsoleErrors.badRequest("The body is not JSON.");
    }
  }

  /** Reads the fields of an object whose start was read. */
  private static Map<String, @Nullable Object> object(JsonParser json) throws IOException {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      json.nextToken();
      if (fields.containsKey(name)) {
        throw ConsoleErrors.badRequest("A field of the body is there twice.");
      }
      fields.put(name, value(json));
    }
    return fields;
  }

  private static @Nullable Object value(JsonParser json) throws IOException {
    return switch (json.currentToken()) {
      case START_OBJECT -> object(json);
      case START_ARRAY -> {
        List<@Nullable Object> values = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
          values.add(value(json));
        }
        yield values;
      }
      case VALUE_STRING -> json.getText();
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new NumberText(json.getText());
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      default -> throw ConsoleErrors.badRequest("The body is not JSON.");
    };
  }

  /** Returns a text; null if it is absent or null. */
  public @Nullable String text(String name) {
    Object value = fields.get(name);
    if (value == null || value instanceof String) {
      return (String) value;
    }
    throw ConsoleErrors.badRequest("The field " + name + " must be a text.");
  }

  public String requireText(String name) {
    String text = text(name);
    if (text == null) {
      throw ConsoleErrors.badRequest("The field " + name + " is missing.");
    }
    return text;
  }

  /** Returns a whole number; the default if it is absent or null. */
  public long number(String name, long otherwise) {
    Object value = fields.get(name);
    if (value == null) {
      return otherwise;
    }
    if (value instanceof NumberText number && number.text.matches("-?\\d{1,18}")) {
      return Long.parseLong(number.text);
    }
    throw ConsoleErrors.badRequest("The field " + name + " must be a whole number.");
  }

  public boolean flag(String name) {
    Object value = fields.get(name);
    if (value == null || value instanceof Boolean) {
      return Boolean.TRUE.equals(value);
    }
    throw ConsoleErrors.badRequest("The field " + name + " must be true or false.");
  }

  /** Returns whether a field is there, even if it is null. */
  public boolean has(String name) {
    return fields.containsKey(name);
  }

  /** Returns a list of texts; null if it is absent or null. */
  public @Nullable List<String> texts(String name) {
    List<?> list = list(name);
    if (list == null) {
      return null;
    }
    List<String> texts = new ArrayList<>();
    for (Object each : list) {
      if (!(each instanceof String text)) {
        throw ConsoleErrors.badRequest("The field " + name + " must be a list of texts.");
      }
      texts.add(text);
    }
    return texts;
  }

  private @Nullable List<?> list(String name) {
    Object value = fields.get(name);
    if (value == null || value instanceof List) {
      return (List<?>) value;
    }
    throw ConsoleErrors.badRequest("The field " + name + " must be a list.");
  }

  /** Returns an object as a map; null if it is absent or null. */
  public @Nullable Map<String, @Nullable Object> map(String name) {
    Object value = fields.get(name);
    return value == null ? null : asMap(value, name);
  }

  /** Returns a map whose values are texts; null if it is absent or null. */
  public @Nullable Map<String, String> textMap(String name) {
    Map<String, @Nullable Object> map = map(name);
    if (map == null) {
      return null;
    }
    Map<String, String> texts = new LinkedHashMap<>();
    map.forEach(
        (key, value) -> {
          if (!(value instanceof String text)) {
            throw ConsoleErrors.badRequest("The values of " + name + " must be texts.");
          }
          texts.put(key, text);
        });
    return texts;
  }

  /** Returns a list of objects. */
  public List<JsonBody> objects(String name, Set<String> known) {
    List<?> list = list(name);
    List<JsonBody> objects = new ArrayList<>();
    for (Object each : list == null ? List.of() : list) {
      objects.add(checked(each, name, known));
    }
    return objects;
  }

  /** Returns an object; null if it is absent or null. */
  public @Nullable JsonBody object(String name, Set<String> known) {
    Object value = fields.get(name);
    return value == null ? null : checked(value, name, known);
  }

  private static JsonBody checked(@Nullable Object value, String name, Set<String> known) {
    Map<String, @Nullable Object> map = asMap(value, name);
    if (!known.containsAll(map.keySet())) {
      throw ConsoleErrors.badRequest("An object of " + name + " has an unknown field.");
    }
    return new JsonBody(map);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, @Nullable Object> asMap(@Nullable Object value, String name) {
    if (value instanceof Map) {
      return (Map<String, @Nullable Object>) value;
    }
    throw ConsoleErrors.badRequest("The field " + name + " must be an object.");
  }
}
