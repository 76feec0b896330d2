package io.lazuli.storage.hbase.commit;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A commit that is sent, or waits until others of its region were answered. */
final class WaitingCommit {
  private final Commit commit;
  private final Deadline limit;
  private final String server;
  private final CompletableFuture<Boolean> result = new CompletableFuture<>();
  private @Nullable Set<Bytes> keys;

  /**
   * @param server the region server for which it waits
   */
  WaitingCommit(Commit commit, Deadline limit, String server) {
    this.commit = commit;
    this.limit = limit;
    this.server = server;
  }

  /** Returns the earliest of the limits of some commits. */
  static Deadline earliest(List<WaitingCommit> commits) {
    Deadline earliest = commits.get(0).limit;
    for (WaitingCommit each : commits) {
      if (each.limit.remaining().compareTo(earliest.remaining()) < 0) {
        earliest = each.limit;
      }
    }
    return earliest;
  }

  Commit commit() {
    return commit;
  }

  String server() {
    return server;
  }

  boolean isLate() {
    return limit.hasPassed();
  }

  CompletableFuture<Boolean> result() {
    return result;
  }

  void fail(Throwable failure) {
    result.completeExceptionally(failure);
  }

  long bytes() {
    return commit.request().getSerializedSize();
  }

  /** Returns the keys of all rows that were read or changed. Used by one thread at a time. */
  Set<Bytes> keys() {
    Set<Bytes> known = keys;
    if (known == null) {
      known = commit.keys();
      keys = known;
    }
    return known;
  }
}
