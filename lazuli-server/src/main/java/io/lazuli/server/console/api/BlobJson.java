package io.lazuli.server.console.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.lazuli.server.blob.model.BlobETag;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.HttpProperties;
import io.lazuli.server.blob.model.SnapshotTime;
import io.lazuli.server.blob.request.NamedState;
import io.lazuli.server.blob.tier.TierChoice;
import io.lazuli.server.console.json.ConsoleErrors;
import io.lazuli.server.console.json.JsonOut;
import io.lazuli.storage.Ticks;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Blobs in the routes: properties out, metadata and header values in. */
final class BlobJson {
  private static final int HEADER_CHARS_MAX = 1 << 10;
  private static final int METADATA_CHARS_MAX = 8 << 10;

  private BlobJson() {}

  /** Writes the fields that lists show. */
  static void fields(
      JsonGenerator json, String name, @Nullable NamedState state, BlobProperties blob, long now)
      throws IOException {
    json.writeStringField("name", name);
    json.writeStringField("kind", kind(blob.type()));
    json.writeNumberField("bytes", blob.content().length());
    JsonOut.text(json, "type", blob.http().contentType());
    json.writeStringField("changed", time(blob.changedTicks()));
    json.writeStringField("created", time(blob.creationTicks()));
    json.writeStringField("etag", BlobETag.text(blob.changedTicks()));
    json.writeStringField("lease", blob.lease().state(now).text());
    TierChoice tier = blob.tierAt(now).choice();
    JsonOut.text(json, "tier", tier == null ? null : tier.tier().text());
    JsonOut.text(
        json,
        "snapshot",
        state != null && state.isSnapshot() ? SnapshotTime.text(state.ticks()) : null);
    long version = blob.optional().versionTicks();
    JsonOut.text(json, "version", version == 0 ? null : SnapshotTime.text(version));
    json.writeBooleanField("deleted", blob.optional().deletion() != null);
  }

  /** Writes the fields that only a single blob has. */
  static void details(JsonGenerator json, BlobProperties blob, long now) throws IOException {
    HttpProperties http = blob.http();
    JsonOut.text(json, "md5", http.contentMd5());
    JsonOut.text(json, "encoding", http.contentEncoding());
    JsonOut.text(json, "language", http.contentLanguage());
    JsonOut.text(json, "disposition", http.contentDisposition());
    JsonOut.text(json, "cacheControl", http.cacheControl());
    map(json, "metadata", blob.metadata());
    map(json, "tags", blob.tags().values());
    json.writeStringField("leaseState", blob.lease().state(now).text());
    JsonOut.text(json, "leaseDuration", blob.lease().durationText(now));
    json.writeNumberField("blocks", blob.content().blocks());
  }

  private static void map(JsonGenerator json, String name, Map<String, String> values)
      throws IOException {
    json.writeObjectFieldStart(name);
    for (Map.Entry<String, String> value : values.entrySet()) {
      json.writeStringField(value.getKey(), value.getValue());
    }
    json.writeEndObject();
  }

  private static String kind(BlobType type) {
    return type.name().toLowerCase(Locale.ROOT);
  }

  static String time(long ticks) {
    return Ticks.toInstant(ticks).toString();
  }

  /** Returns a value that becomes a header; throws if a header cannot have it. */
  static @Nullable String header(@Nullable String value) {
    if (value == null || value.isEmpty()) {
      return null;
    }
    if (value.length() > HEADER_CHARS_MAX || !isPrintable(value)) {
      throw ConsoleErrors.badRequest("A property of the blob has characters that are not allowed.");
    }
    return value;
  }

  /** Checks metadata by the rules of the protocol: each pair becomes a header. */
  static Map<String, String> metadata(Map<String, String> pairs) {
    int chars = 0;
    for (Map.Entry<String, String> pair : pairs.entrySet()) {
      chars += pair.getKey().length() + pair.getValue().length();
      if (!pair.getKey().matches("[A-Za-z_][A-Za-z0-9_]{0,255}") || !isPrintable(pair.getValue())) {
        throw ConsoleErrors.badRequest("A name or value of the metadata is not allowed.");
      }
    }
    if (chars > METADATA_CHARS_MAX) {
      throw ConsoleErrors.badRequest("Metadata has at most 8,192 characters.");
    }
    return pairs;
  }

  private static boolean isPrintable(String value) {
    return value.chars().allMatch(c -> c >= ' ' && c < 0x7f);
  }
}
