package io.lazuli.storage.hbase.cluster;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.hbase.call.Steps;
import io.lazuli.storage.hbase.call.StoredCell;
import io.lazuli.storage.hbase.commit.Attempts;
import io.lazuli.storage.hbase.commit.OwnRows;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Elects the one server that splits, merges and reclaims. The leader renews a record. Another
 * server takes over if it has seen no change of the record for a while, by its own clock. Two
 * leaders at the same time do no harm. Used by one thread.
 */
public final class Leadership {
  /** The record, which servers change one after another. */
  interface LeaderRecord {
    /**
     * Computes a new value from the current one, possibly several times, and writes it unless it is
     * empty.
     *
     * @return true if a value was written
     */
    boolean change(Function<StoredCell, Optional<byte[]>> change);
  }

  /** The time between two calls of {@link #renew}. */
  static final Duration RENEWAL = Duration.ofSeconds(5);

  /** The time without a change after which the record no longer belongs to its owner. */
  static final Duration LEASE = Duration.ofSeconds(15);

  /** The owner of a record that a leader gave up or that was never written. */
  private static final long NOBODY = 0;

  private static final Duration TIMEOUT = Duration.ofSeconds(4);

  private final LeaderRecord stored;
  private final LongSupplier nanoTime;
  private final long id = ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
  private Bytes lastSeen = Bytes.EMPTY;
  private long lastChangeNanos;
  private volatile boolean leader;

  public Leadership(Attempts attempts, LongSupplier nanoTime) {
    this(change -> run(attempts, change), nanoTime);
  }

  Leadership(LeaderRecord stored, LongSupplier nanoTime) {
    this.stored = stored;
    this.nanoTime = nanoTime;
  }

  /** Returns true if this server was the leader when it last renewed. */
  public boolean isLeader() {
    return leader;
  }

  /**
   * Renews the record if this server leads, takes over if the record has expired, and otherwise
   * does nothing.
   */
  void renew() {
    try {
      leader = stored.change(this::renewed);
    } catch (StorageException e) {
      leader = false;
    }
  }

  /** Gives up the leadership, so that another server can lead immediately. */
  void resign() {
    if (leader) {
      leader = false;
      stored.change(
          cell -> OwnRows.decode(cell) == id ? Optional.of(value(NOBODY, 0)) : Optional.empty());
    }
  }

  private Optional<byte[]> renewed(StoredCell cell) {
    long owner = OwnRows.decode(cell);
    return owner != id && owner != NOBODY && !isExpired(cell)
        ? Optional.empty()
        : Optional.of(value(id, nanoTime.getAsLong()));
  }

  private boolean isExpired(StoredCell cell) {
    byte[] head = cell.head();
    Bytes seen = head == null ? Bytes.EMPTY : Bytes.of(head);
    if (!seen.equals(lastSeen)) {
      lastSeen = seen;
      lastChangeNanos = nanoTime.getAsLong();
    }
    return nanoTime.getAsLong() - lastChangeNanos > LEASE.toNanos();
  }

  private static boolean run(Attempts attempts, Function<StoredCell, Optional<byte[]>> change) {
    return Steps.await(
        attempts.run(
            OwnRows.STORE,
            Deadline.after(TIMEOUT),
            view -> {
              Optional<byte[]> value = change.apply(view.condition(OwnRows.LEADER));
              value.ifPresent(bytes -> view.putOwn(OwnRows.LEADER, bytes));
              return value.isPresent();
            }));
  }

  private static byte[] value(long owner, long term) {
    return ByteBuffer.allocate(2 * Long.BYTES).putLong(owner).putLong(term).array();
  }
}
