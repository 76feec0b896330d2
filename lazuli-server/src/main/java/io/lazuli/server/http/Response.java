package io.lazuli.server.http;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One answer. Immutable once built; the body's array belongs to it.
 *
 * @param reason the phrase after the status, printable ASCII; null for the phrase of HTTP
 * @param headers names and values, alternating, in the order in which they are written; without the
 *     length of the body
 * @param body empty if the body is streamed
 * @param streamed the body if it is sent piece by piece; it belongs to the answer, and is closed
 *     once the answer was sent or cannot be sent
 */
public record Response(
    int status,
    @Nullable String reason,
    List<String> headers,
    byte[] body,
    @Nullable StreamedBody streamed) {
  private static final byte[] NO_BODY = new byte[0];

  /**
   * The maximum length of the reason phrase. Clients bound the length of a status line; every error
   * text is shorter.
   */
  private static final int REASON_LENGTH_MAX = 512;

  public static Builder of(int status) {
    return new Builder(status);
  }

  /** Returns the length of the body. */
  public long length() {
    return streamed == null ? body.length : streamed.length();
  }

  /** Returns a builder that starts with this answer. */
  public Builder toBuilder() {
    Builder builder = new Builder(status);
    builder.reason = reason;
    builder.headers.addAll(headers);
    builder.body = body;
    builder.streamed = streamed;
    return builder;
  }

  /** Returns the first value of a header, by its exact name; null if it is absent. */
  public @Nullable String header(String name) {
    for (int i = 0; i < headers.size(); i += 2) {
      if (headers.get(i).equals(name)) {
        return headers.get(i + 1);
      }
    }
    return null;
  }

  /** Collects the parts of a response; used by one thread. */
  public static final class Builder {
    private final int status;
    private @Nullable String reason;
    private final List<String> headers = new ArrayList<>(24);
    private byte[] body = NO_BODY;
    private @Nullable StreamedBody streamed;

    private Builder(int status) {
      this.status = status;
    }

    /**
     * Sets the phrase after the status: the first line of a text. Characters that would not pass in
     * a status line become question marks.
     */
    public Builder reason(String text) {
      StringBuilder line = new StringBuilder(text.length());
      for (int i = 0; i < text.length() && line.length() < REASON_LENGTH_MAX; i++) {
        char c = text.charAt(i);
        if (c == '\n' || c == '\r') {
          break;
        }
        line.append(c >= ' ' && c < 0x7f ? c : '?');
      }
      reason = line.toString();
      return this;
    }

    public Builder header(String name, String value) {
      headers.add(name);
      headers.add(value);
      return this;
    }

    public Builder body(String contentType, byte[] newBody) {
      return body(newBody).header("Content-Type", contentType);
    }

    /** Sets a body without a type. */
    public Builder body(byte[] newBody) {
      body = newBody;
      return this;
    }

    /** Sets an encoded body, which is streamed unless it is small. */
    public Builder body(String contentType, AnswerBuffer encoded) {
      header("Content-Type", contentType);
      return encoded.isSmall() ? body(encoded.toByteArray()) : body((StreamedBody) encoded);
    }

    /** Sets a body that is sent piece by piece, without a type. */
    public Builder body(StreamedBody newBody) {
      streamed = newBody;
      return this;
    }

    public Response build() {
      return new Response(status, reason, Collections.unmodifiableList(headers), body, streamed);
    }
  }
}
