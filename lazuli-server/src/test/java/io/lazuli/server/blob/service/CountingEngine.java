package io.lazuli.server.blob.service;

import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.faults.ForwardingEngine;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** An engine that counts the records that scans visit. Mutable; for one thread. */
final class CountingEngine extends ForwardingEngine {
  private int shown;

  CountingEngine(StorageEngine engine) {
    super(engine);
  }

  int recordsShown() {
    return shown;
  }

  @Override
  public CompletableFuture<@Nullable Void> scan(
      Space space,
      List<KeyRange> ranges,
      Direction direction,
      Deadline deadline,
      RecordVisitor visitor) {
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
