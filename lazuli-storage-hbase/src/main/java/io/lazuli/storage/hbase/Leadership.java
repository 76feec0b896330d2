package io.lazuli.storage.hbase;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.StorageException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Elects the one server that splits, merges and reclaims: a record that its owner renews, and that
 * a rival takes over when it has not changed for a while by the rival's own clock. Two leaders for
 * a moment do no harm. Used by one thread.
 */
final class Leadership {
  /** How often {@link #renew} is to be called. */
  static final Duration RENEWAL = Duration.ofSeconds(5);

  private static final Duration LIFE = Duration.ofSeconds(15);
  private static final Duration PATIENCE = Duration.ofSeconds(4);

  private final Attempts attempts;
  private final LongSupplier nanoTime;
  private final long id = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
  private Bytes lastSeen = Bytes.EMPTY;
  private long lastChangeNanos;
  private volatile boolean leader;

  Leadership(Attempts attempts, LongSupplier nanoTime) {
    this.attempts = attempts;
    this.nanoTime = nanoTime;
  }

  /** True if this server was the leader when it last looked. */
  boolean isLeader() {
    return leader;
  }

  /** Renews the leadership, takes over an orphaned one, or looks on. */
  void renew() {
    try {
      leader = attempt(this::step);
    } catch (StorageException e) {
      leader = false;
    }
  }

  /** Lets others lead at once. */
  void resign() {
    if (leader) {
      leader = false;
      attempt(
          view -> {
            if (owner(view.condition(OwnRows.LEADER)) == id) {
              view.putOwn(OwnRows.LEADER, value(0, 0));
            }
            return false;
          });
    }
  }

  private boolean step(TransactionView view) {
    StoredCell cell = view.condition(OwnRows.LEADER);
    long owner = owner(cell);
    if (owner != id && owner != 0 && !isOrphaned(cell)) {
      return false;
    }
    view.putOwn(OwnRows.LEADER, value(id, nanoTime.getAsLong()));
    return true;
  }

  private boolean isOrphaned(StoredCell cell) {
    byte[] head = cell.head();
    Bytes seen = head == null ? Bytes.EMPTY : Bytes.of(head);
    if (lastSeen == null || !seen.equals(lastSeen)) {
      lastSeen = seen;
      lastChangeNanos = nanoTime.getAsLong();
    }
    return nanoTime.getAsLong() - lastChangeNanos > LIFE.toNanos();
  }

  private boolean attempt(Function<TransactionView, Boolean> body) {
    return attempts.run(OwnRows.STORE, List.of(), Deadline.after(PATIENCE), body, () -> {});
  }

  private static long owner(StoredCell cell) {
    return OwnRows.decode(cell);
  }

  private static byte[] value(long owner, long term) {
    return ByteBuffer.allocate(2 * Long.BYTES).putLong(owner).putLong(term).array();
  }
}
