package io.lazuli.transfer.http;

import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * A request that can be sent several times. Mutable until it is sent; used by one thread.
 *
 * <p>The path is percent-encoded and starts after the base URL of the endpoint; the values of the
 * parameters are not encoded.
 */
public final class Call {
  private final String method;
  private final String path;
  private final Map<String, String> query = new TreeMap<>();
  private final Map<String, String> headers = new TreeMap<>();
  private Supplier<BodyPublisher> body = BodyPublishers::noBody;
  private long length;

  public Call(String method, String path) {
    this.method = method;
    this.path = path;
  }

  public Call query(String name, String value) {
    query.put(name, value);
    return this;
  }

  /** Adds a header. The name has lower case, unless it is that of metadata. */
  public Call header(String name, String value) {
    headers.put(name, value);
    return this;
  }

  public Call body(byte[] bytes) {
    return body(() -> BodyPublishers.ofByteArray(bytes), bytes.length);
  }

  /** Sets a body of known length, which is made again for each attempt. */
  public Call body(Supplier<BodyPublisher> source, long bytes) {
    body = bytes == 0 ? BodyPublishers::noBody : () -> sized(source.get(), bytes);
    length = bytes;
    return this;
  }

  private static BodyPublisher sized(BodyPublisher source, long bytes) {
    return source.contentLength() == bytes ? source : BodyPublishers.fromPublisher(source, bytes);
  }

  String method() {
    return method;
  }

  String path() {
    return path;
  }

  Map<String, String> query() {
    return Collections.unmodifiableMap(query);
  }

  Map<String, String> headers() {
    return Collections.unmodifiableMap(headers);
  }

  BodyPublisher publisher() {
    return body.get();
  }

  long length() {
    return length;
  }
}
