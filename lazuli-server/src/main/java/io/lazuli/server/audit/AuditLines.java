package io.lazuli.server.audit;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import io.lazuli.server.event.MaskedText;
import io.lazuli.server.event.Subject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Writes entries as JSON, one line each. Everything outside ASCII is escaped, so that no text of a
 * client can look like another line, not even in a terminal.
 */
final class AuditLines {
  private static final JsonFactory JSON =
      JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private AuditLines() {}

  static void write(AuditEntry entry, ByteArrayOutputStream out) {
    try (JsonGenerator json = JSON.createGenerator(out)) {
      json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      json.writeStartObject();
      json.writeStringField("time", Instant.ofEpochMilli(entry.millis()).toString());
      text(json, "request", entry.request());
      json.writeStringField("service", entry.service());
      json.writeStringField("operation", entry.operation());
      text(json, "account", entry.account());
      // No path contains a signature. If a client puts one there by mistake, it is hidden.
      text(json, "path", MaskedText.of(entry.path()));
      text(json, "what", entry.what());
      text(json, "key", entry.key());
      text(json, "row", entry.row());
      if (entry.writes() > 0) {
        json.writeNumberField("writes", entry.writes());
      }
      if (entry.status() > 0) {
        json.writeNumberField("status", entry.status());
        text(json, "error", entry.error());
        who(json, entry.who(), entry.claimed());
      }
      text(json, "from", entry.from());
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    out.write('\n');
  }

  private static void who(JsonGenerator json, @Nullable Subject who, String claimed)
      throws IOException {
    json.writeObjectFieldStart("who");
    if (who == null) {
      json.writeStringField("kind", "unverified");
      json.writeStringField("claimed", claimed);
    } else {
      json.writeStringField("kind", who.kind().word());
      if (who.key() > 0) {
        json.writeNumberField("key", who.key());
      }
      text(json, who.kind() == Subject.Kind.CONSOLE ? "user" : "policy", who.name());
      text(json, "issuer", who.issuer());
      text(json, "oid", who.object());
      text(json, "app", who.application());
      text(json, "sub", who.subject());
    }
    json.writeEndObject();
  }

  private static void text(JsonGenerator json, String name, @Nullable String text)
      throws IOException {
    if (text != null && !text.isEmpty()) {
      json.writeStringField(name, text);
    }
  }
}
