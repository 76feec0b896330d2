package io.lazuli.benchmarks.protocol;

import io.lazuli.benchmarks.load.Script;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Puts small blobs, one after another, under the given names. */
public final class BlobPuts implements Script {
  private final BlobRequests requests;
  private final String container;
  private final Supplier<Optional<String>> names;
  private final Payload payload;

  private BlobPuts(
      BlobRequests requests, String container, Supplier<Optional<String>> names, Payload payload) {
    this.requests = requests;
    this.container = container;
    this.names = names;
    this.payload = payload;
  }

  /**
   * Returns one script per connection; they share the work.
   *
   * @param names called before each put; empty when nothing is left to do
   */
  public static List<BlobPuts> of(
      int connections,
      BlobRequests requests,
      String container,
      Supplier<Optional<String>> names,
      int bytes) {
    return IntStream.range(0, connections)
        .mapToObj(i -> new BlobPuts(requests, container, names, new Payload(bytes)))
        .toList();
  }

  @Override
  public Optional<ByteBuffer> next() {
    return names.get().map(name -> requests.put(container, name, payload));
  }
}
