package io.lazuli.server.console.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import io.lazuli.server.http.Response;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Writes the answers of the console. They are ASCII: an unpaired surrogate passes as an escape, and
 * no decoder can read anything else into them.
 */
public final class JsonOut {
  public static final String TYPE = "application/json; charset=utf-8";

  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  /** Writes the fields of an object. */
  @FunctionalInterface
  public interface Fields {
    void write(JsonGenerator json) throws IOException;
  }

  private JsonOut() {}

  /** Returns an answer with an object. */
  public static Response answer(int status, Fields fields) {
    return Response.of(status).body(TYPE, bytes(fields)).build();
  }

  /** Returns an object as bytes. */
  public static byte[] bytes(Fields fields) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(1 << 10);
    try (JsonGenerator json = FACTORY.createGenerator(out)) {
      json.writeStartObject();
      fields.write(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /** Writes a text or null. */
  public static void text(JsonGenerator json, String name, @Nullable String text)
      throws IOException {
    if (text == null) {
      json.writeNullField(name);
    } else {
      json.writeStringField(name, text);
    }
  }

  /** Writes a number that may be an estimate. */
  public static void count(JsonGenerator json, String name, @Nullable Long n, boolean exact)
      throws IOException {
    json.writeObjectFieldStart(name);
    if (n == null) {
      json.writeNullField("n");
    } else {
      json.writeNumberField("n", n);
    }
    json.writeBooleanField("exact", exact && n != null);
    json.writeEndObject();
  }
}
