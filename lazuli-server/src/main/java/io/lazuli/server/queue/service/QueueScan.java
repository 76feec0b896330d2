package io.lazuli.server.queue.service;

import io.lazuli.server.queue.encoding.CountCodec;
import io.lazuli.server.queue.encoding.QueueRows;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Position;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Visit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** Reads a queue outside of the commit lane; the rows that it finds may be gone a moment later. */
final class QueueScan {
  /** The maximum number of expired messages that a count subtracts. */
  private static final int UNCOUNTED_MAX = 10_000;

  private final StorageEngine engine;

  QueueScan(StorageEngine engine) {
    this.engine = engine;
  }

  /** A row that records when a message becomes visible or expires. */
  record Found(Bytes row, UUID id) {}

  /**
   * Returns the first rows at or after the low-water mark, and raises the mark if possible.
   *
   * @param known the row up to which the mark may be raised; other servers may still write rows
   *     above it
   */
  CompletableFuture<List<Found>> search(
      Space queue, LowestLive lowest, Bytes end, Bytes known, int max, Deadline deadline) {
    LowestLive.Search search = lowest.begin();
    return rows(queue, search.from(), end, max, deadline)
        .whenComplete(
            (found, failure) -> {
              if (failure != null) {
                lowest.end(search);
                return;
              }
              Bytes firstLive = found.isEmpty() ? end : found.get(0).row();
              lowest.end(search, firstLive.compareTo(known) < 0 ? firstLive : known);
            });
  }

  CompletableFuture<List<Found>> rows(
      Space queue, Bytes from, Bytes end, int max, Deadline deadline) {
    List<Found> found = new ArrayList<>();
    if (from.compareTo(end) >= 0) {
      return CompletableFuture.completedFuture(found);
    }
    return engine
        .scan(
            queue,
            List.of(range(from, end)),
            Direction.FORWARD,
            deadline,
            RecordVisitor.ofFirst(
                max,
                record -> {
                  Bytes row = Bytes.of(record.row().copy());
                  found.add(new Found(row, QueueRows.id(record.value().copy())));
                  return Visit.CONTINUE;
                }))
        .thenApply(scanned -> found);
  }

  /** Returns the number of messages, without those that have expired. Takes one scan. */
  CompletableFuture<Long> count(Space queue, long now, Deadline deadline) {
    long[] sum = new long[1];
    int[] expired = new int[1];
    return engine
        .scan(
            queue,
            List.of(
                range(QueueRows.FIRST_COUNT, QueueRows.COUNTS_END),
                range(QueueRows.FIRST_EXPIRING, QueueRows.expiringEnd(now))),
            Direction.FORWARD,
            deadline,
            record -> {
              if (record.row().compareTo(QueueRows.COUNTS_END) < 0) {
                sum[0] += CountCodec.decode(record.value().copy());
                return Visit.CONTINUE;
              }
              return ++expired[0] < UNCOUNTED_MAX ? Visit.CONTINUE : Visit.STOP;
            })
        .thenApply(scanned -> Math.max(0, sum[0] - expired[0]));
  }

  private static KeyRange range(Bytes from, Bytes end) {
    return new KeyRange(new Position(Bytes.EMPTY, from), new Position(Bytes.EMPTY, end));
  }
}
