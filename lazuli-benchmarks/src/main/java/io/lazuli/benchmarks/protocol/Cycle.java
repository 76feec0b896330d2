package io.lazuli.benchmarks.protocol;

import io.lazuli.benchmarks.load.Script;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Sends the requests of a list repeatedly. */
public final class Cycle implements Script {
  private final ByteBuffer[] requests;
  private int at;

  private Cycle(ByteBuffer[] requests, int start) {
    this.requests = requests;
    this.at = start;
  }

  /**
   * Returns one script per connection for the same requests, each with a different start in the
   * list.
   */
  public static List<Cycle> of(int connections, int requests, Supplier<ByteBuffer> request) {
    ByteBuffer[] rendered = Stream.generate(request).limit(requests).toArray(ByteBuffer[]::new);
    return IntStream.range(0, connections)
        .mapToObj(i -> new Cycle(rendered, i * requests / connections))
        .toList();
  }

  @Override
  public Optional<ByteBuffer> next() {
    ByteBuffer request = requests[at].duplicate();
    at = (at + 1) % requests.length;
    return Optional.of(request);
  }
}
