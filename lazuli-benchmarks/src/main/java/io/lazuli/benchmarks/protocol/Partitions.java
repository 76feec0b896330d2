package io.lazuli.benchmarks.protocol;

import io.lazuli.benchmarks.load.Script;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** Inserts one entity into each of a number of partitions, all with the same RowKey. */
public final class Partitions implements Script {
  private final RequestTemplate template;
  private final AtomicLong partitions;
  private final long end;

  private Partitions(RequestTemplate template, AtomicLong partitions, long end) {
    this.template = template;
    this.partitions = partitions;
    this.end = end;
  }

  /** Returns one script per connection; they share the work. */
  public static List<Partitions> of(
      int connections, TableRequests requests, String table, long count) {
    AtomicLong partitions = new AtomicLong();
    return IntStream.range(0, connections)
        .mapToObj(i -> new Partitions(requests.insert(table), partitions, count))
        .toList();
  }

  @Override
  public Optional<ByteBuffer> next() {
    long partition = partitions.getAndIncrement();
    return partition < end ? Optional.of(template.fill(partition, 0)) : Optional.empty();
  }
}
