package io.lazuli.server.blob.service;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.RecordKey;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.TransactionBody;
import io.lazuli.storage.faults.ForwardingEngine;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An engine that counts the records that scans visit, the reads and the transactions. Mutable; for
 * one thread at a time.
 */
final class CountingEngine extends ForwardingEngine {
  private int shown;
  private int reads;
  private int scans;
  private int transactions;

  CountingEngine(StorageEngine engine) {
    super(engine);
  }

  int recordsShown() {
    return shown;
  }

  /** Returns the number of records that were read, by scans or by their keys. */
  int recordsRead() {
    return shown + reads;
  }

  /** Returns the numbers of calls: transactions, reads and scans. */
  List<Integer> calls() {
    return List.of(transactions, reads, scans);
  }

  @Override
  public CompletableFuture<byte @Nullable []> read(RecordKey key, Deadline deadline) {
    reads++;
    return super.read(key, deadline);
  }

  @Override
  public <R> CompletableFuture<R> transact(
      Partition partition, List<Bytes> touch, Deadline deadline, TransactionBody<R> body) {
    transactions++;
    return super.transact(partition, touch, deadline, body);
  }

  @Override
  public CompletableFuture<@Nullable Void> scan(
      Space space,
      List<KeyRange> ranges,
      Direction direction,
      Deadline deadline,
      RecordVisitor visitor) {
    scans++;
    return super.scan(
        space,
        ranges,
        direction,
        deadline,
        record -> {
          shown++;
          return visitor.visit(record);
        });
  }
}
