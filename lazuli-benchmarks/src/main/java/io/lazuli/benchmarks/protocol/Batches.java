package io.lazuli.benchmarks.protocol;

import io.lazuli.benchmarks.load.ResponseReader;
import io.lazuli.benchmarks.load.Script;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Sends transactions of a hundred entities, each on the next hundred entities of a table. */
public final class Batches implements Script {
  /** The number of entities in a partition, in every table that is filled by batches. */
  public static final int PARTITION_ENTITIES = 1_000;

  private final RequestTemplate template;
  private final AtomicLong batches;
  private final long end;
  private final long entities;

  private Batches(RequestTemplate template, AtomicLong batches, long end, long entities) {
    this.template = template;
    this.batches = batches;
    this.end = end;
    this.entities = entities;
  }

  /** Returns scripts that insert each entity of a table once; the connections share the work. */
  public static List<Batches> filling(
      Supplier<RequestTemplate> template, int connections, long entities) {
    return of(
        template, connections, new AtomicLong(), entities / TableRequests.BATCH_ENTITIES, entities);
  }

  /**
   * Returns scripts that never end.
   *
   * @param batches the next unused batch, shared by all rounds
   * @param entities after this many entities, the scripts start again at the first one
   */
  public static List<Batches> endless(
      Supplier<RequestTemplate> template, int connections, AtomicLong batches, long entities) {
    return of(template, connections, batches, Long.MAX_VALUE, entities);
  }

  private static List<Batches> of(
      Supplier<RequestTemplate> template,
      int connections,
      AtomicLong batches,
      long end,
      long entities) {
    return IntStream.range(0, connections)
        .mapToObj(i -> new Batches(template.get(), batches, end, entities))
        .toList();
  }

  @Override
  public Optional<ByteBuffer> next() {
    long batch = batches.getAndIncrement();
    if (batch >= end) {
      return Optional.empty();
    }
    long entity = batch * TableRequests.BATCH_ENTITIES % entities;
    return Optional.of(template.fill(entity / PARTITION_ENTITIES, entity % PARTITION_ENTITIES));
  }

  /** Checks the inner response: a failed transaction also has the outer status 202. */
  @Override
  public boolean accept(ResponseReader answer) {
    return answer.succeeded() && answer.body().contains("HTTP/1.1 20");
  }
}
