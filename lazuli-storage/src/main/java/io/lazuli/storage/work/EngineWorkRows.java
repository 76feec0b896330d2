package io.lazuli.storage.work;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.TransactionBody;
import io.lazuli.storage.Visit;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The rows of an engine: a partition of the catalogue. A request for a row of the catalogue needs
 * no lease of a home, so these rows cost no other calls.
 */
final class EngineWorkRows implements WorkRows {
  static final Partition PARTITION =
      new Partition(Space.CATALOGUE, Bytes.of("$lazuli/work".getBytes(StandardCharsets.US_ASCII)));

  private static final Duration TIME_MAX = Duration.ofSeconds(4);

  private final StorageEngine engine;

  EngineWorkRows(StorageEngine engine) {
    this.engine = engine;
  }

  @Override
  public NavigableMap<Bytes, byte[]> all() {
    NavigableMap<Bytes, byte[]> rows = new TreeMap<>();
    join(
        engine.scan(
            PARTITION.space(),
            List.of(KeyRange.ofPartition(PARTITION.name())),
            Direction.FORWARD,
            Deadline.after(TIME_MAX),
            record -> {
              rows.put(Bytes.of(record.row().copy()), record.value().copy());
              return Visit.CONTINUE;
            }));
    return rows;
  }

  @Override
  public <R> R change(List<Bytes> touch, TransactionBody<R> body) {
    return join(engine.transact(PARTITION, touch, Deadline.after(TIME_MAX), body));
  }

  private static <T extends @Nullable Object> T join(CompletableFuture<T> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw e;
    }
  }
}
