package io.lazuli.storage.hbase.lease;

import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** The rows of one home in the cluster that say which of its spaces exist. Does not block. */
public interface HomeStore {
  /**
   * Reads the record of the home. The answer shows every change that took effect before the call,
   * also if a region server was paused in between.
   */
  CompletableFuture<HomeRecord> read();

  /** Reads whether a space was dropped, as of a point in time after the call. */
  CompletableFuture<Boolean> isDropped(long space);

  /** Withdraws announcements if they are still there. Failures are ignored. */
  void withdraw(Set<HomeRecord.Announcement> abandoned);
}
