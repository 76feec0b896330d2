package io.lazuli.storage.hbase.commit;

import io.lazuli.storage.StorageException;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Whether the cluster does what it is asked, told by what became of the last transactions; there is
 * always one soon, because every server looks for the leader. Safe for any number of threads.
 */
final class ClusterHealth {
  /** Longer than the cluster needs to find another server for a region, as a rule. */
  static final Duration SILENCE_MAX = Duration.ofSeconds(20);

  private final LongSupplier nanoTime;
  private volatile long lastSuccessNanos;

  /** Of the last failure since the last success; empty if there was none. */
  private volatile String failure = "";

  /** Begins with a cluster that answers. */
  ClusterHealth(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.lastSuccessNanos = nanoTime.getAsLong();
  }

  /** Something was done. */
  void succeeded() {
    lastSuccessNanos = nanoTime.getAsLong();
    if (!failure.isEmpty()) {
      failure = "";
    }
  }

  /** Something was not done; whose fault it was is told by its kind. */
  void failed(StorageException e) {
    switch (e.kind()) {
      case UNAVAILABLE, TIMEOUT, UNKNOWN_OUTCOME -> failure = String.valueOf(e.getMessage());
      default -> {}
    }
  }

  /** Why the cluster counts as away; empty if it does not. */
  String fault() {
    String reason = failure;
    long silentNanos = nanoTime.getAsLong() - lastSuccessNanos;
    return reason.isEmpty() || silentNanos <= SILENCE_MAX.toNanos()
        ? ""
        : "the cluster did nothing for "
            + Duration.ofNanos(silentNanos).toSeconds()
            + " s: "
            + reason;
  }
}
