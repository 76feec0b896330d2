package io.lazuli.server.http;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * One answer. Immutable once built; the body's array belongs to it.
 *
 * @param headers name and value in turns, in the order in which they are written
 */
public record Response(int status, List<String> headers, byte[] body) {
  private static final byte[] NO_BODY = new byte[0];

  public static Builder of(int status) {
    return new Builder(status);
  }

  /** The same with one header more. */
  public Response with(String name, String value) {
    List<String> more = new ArrayList<>(headers.size() + 2);
    more.addAll(headers);
    more.add(name);
    more.add(value);
    return new Response(status, more, body);
  }

  /** Collects the parts of a response; used by one thread. */
  public static final class Builder {
    private final int status;
    private final List<String> headers = new ArrayList<>(24);
    private byte[] body = NO_BODY;

    private Builder(int status) {
      this.status = status;
    }

    public Builder header(String name, String value) {
      headers.add(name);
      headers.add(value);
      return this;
    }

    public Builder body(String contentType, byte[] newBody) {
      body = newBody;
      return header("Content-Type", contentType);
    }

    public Response build() {
      return new Response(status, Collections.unmodifiableList(headers), body);
    }
  }
}
