package io.lazuli.server.admin;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** The arguments and the answer of a command: a JSON object whose values are strings. */
public final class CommandJson {
  private CommandJson() {}

  /**
   * Parses an object.
   *
   * @throws IllegalArgumentException if the bytes are anything else
   */
  public static Map<String, String> parse(byte[] bytes) {
    Map<String, String> values = new LinkedHashMap<>();
    try (JsonParser json = new JsonFactory().createParser(bytes)) {
      require(json.nextToken() == JsonToken.START_OBJECT);
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        require(json.nextToken() == JsonToken.VALUE_STRING);
        require(values.put(name, json.getText()) == null);
      }
      require(json.currentToken() == JsonToken.END_OBJECT && json.nextToken() == null);
      return values;
    } catch (IOException e) {
      throw new IllegalArgumentException("the text is not JSON", e);
    }
  }

  private static void require(boolean wellFormed) {
    if (!wellFormed) {
      throw new IllegalArgumentException("the text is not a JSON object of strings");
    }
  }

  /** Writes an object in the order of the map. */
  public static byte[] write(Map<String, String> values) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = new JsonFactory().createGenerator(bytes)) {
      json.writeStartObject();
      for (Map.Entry<String, String> value : values.entrySet()) {
        json.writeStringField(value.getKey(), value.getValue());
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
