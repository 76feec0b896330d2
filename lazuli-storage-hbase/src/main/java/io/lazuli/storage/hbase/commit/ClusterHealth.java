package io.lazuli.storage.hbase.commit;

import io.lazuli.storage.StorageException;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Judges from the last transactions whether the cluster works. There is always a recent
 * transaction, because every server renews or checks the leadership. Thread-safe.
 */
final class ClusterHealth {
  /**
   * The time without a success after which the cluster counts as unavailable. Longer than it
   * usually needs to move a region to another server.
   */
  static final Duration SILENCE_MAX = Duration.ofSeconds(20);

  private final LongSupplier nanoTime;
  private volatile long lastSuccessNanos;

  /** The message of the last failure since the last success; empty if there was none. */
  private volatile String failure = "";

  /** Starts with the assumption that the cluster works. */
  ClusterHealth(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.lastSuccessNanos = nanoTime.getAsLong();
  }

  /** Records a transaction that succeeded. */
  void succeeded() {
    lastSuccessNanos = nanoTime.getAsLong();
    if (!failure.isEmpty()) {
      failure = "";
    }
  }

  /** Records a failure, if its kind shows that the cluster caused it. */
  void failed(StorageException e) {
    switch (e.kind()) {
      case UNAVAILABLE, TIMEOUT, UNKNOWN_OUTCOME -> failure = String.valueOf(e.getMessage());
      default -> {}
    }
  }

  /** Returns why the cluster counts as unavailable; empty if it is available. */
  String fault() {
    String reason = failure;
    long silentNanos = nanoTime.getAsLong() - lastSuccessNanos;
    return reason.isEmpty() || silentNanos <= SILENCE_MAX.toNanos()
        ? ""
        : "no operation on the cluster has succeeded for "
            + Duration.ofNanos(silentNanos).toSeconds()
            + " s: "
            + reason;
  }
}
