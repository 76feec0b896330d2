package io.lazuli.benchmarks.protocol;

import io.lazuli.benchmarks.load.Script;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** Inserts one new entity after another; each connection has its own partition. */
public final class Inserts implements Script {
  private final RequestTemplate template;
  private final long partition;
  private final AtomicLong rows;

  private Inserts(RequestTemplate template, long partition, AtomicLong rows) {
    this.template = template;
    this.partition = partition;
    this.rows = rows;
  }

  /**
   * Returns one script per connection.
   *
   * @param rows the next unused row, shared by all rounds
   */
  public static List<Inserts> of(
      int connections, TableRequests requests, String table, AtomicLong rows) {
    return IntStream.range(0, connections)
        .mapToObj(i -> new Inserts(requests.insert(table), i, rows))
        .toList();
  }

  @Override
  public Optional<ByteBuffer> next() {
    return Optional.of(template.fill(partition, rows.getAndIncrement()));
  }
}
