package io.lazuli.server.blob.service;

import io.lazuli.server.blob.index.IndexedBody;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.TransactionBody;
import io.lazuli.storage.faults.ForwardingEngine;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * An engine that claims to be shared with other servers, so that a test can run several services on
 * it. A callback can run before each transaction. Mutable; for one thread.
 */
final class SharedEngine extends ForwardingEngine {
  private Consumer<TransactionBody<?>> before = body -> {};

  SharedEngine(StorageEngine engine) {
    super(engine);
  }

  /** Sets the callback that runs before each transaction. */
  void before(Consumer<TransactionBody<?>> newBefore) {
    before = newBefore;
  }

  @Override
  public boolean isShared() {
    return true;
  }

  @Override
  public <R> CompletableFuture<R> transact(
      Partition partition, List<Bytes> touch, Deadline deadline, TransactionBody<R> body) {
    before.accept(body instanceof IndexedBody<?> indexed ? indexed.body() : body);
    return super.transact(partition, touch, deadline, body);
  }
}
