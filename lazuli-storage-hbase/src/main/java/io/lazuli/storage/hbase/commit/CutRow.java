package io.lazuli.storage.hbase.commit;

import io.lazuli.storage.Deadline;
import io.lazuli.storage.hbase.call.RegionCalls;
import io.lazuli.storage.hbase.call.Steps;
import io.lazuli.storage.hbase.call.StoredCell;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The row with which servers agree on cuts. It keeps two servers from making a cut at the same
 * time. While a cut <em>holds</em>, no server deletes chunks, and the leader does not remove the
 * records of dropped spaces. Never blocks. Thread-safe.
 *
 * <p>Who wants to delete reads the row, after the deletion was decided. If the row does not hold,
 * the decision is older than the hold, so every snapshot of the cut shows it: the chunk has lost
 * its last reference, or the space has lost its name. If the row holds, the deletion waits.
 *
 * <p>The server of a cut renews the row. If it dies, others withdraw the row when it is old. A
 * clock that runs ahead can make them do so too early: the server then finds its row gone and does
 * not use its snapshots. So no order of events depends on a clock.
 */
public final class CutRow {
  /** The time between two renewals. */
  public static final Duration RENEWAL = Duration.ofSeconds(10);

  /** The age at which a row belongs to a server that has died. */
  static final Duration AGE_MAX = Duration.ofSeconds(60);

  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** What the row says. */
  private record State(long id, boolean holds, long millis) {
    private static final int BYTES = 2 * Long.BYTES + 1;

    static @Nullable State decode(StoredCell cell) {
      byte[] value = cell.value();
      if (value == null || value.length != BYTES) {
        return null;
      }
      ByteBuffer in = ByteBuffer.wrap(value);
      return new State(in.getLong(), in.get() == 1, in.getLong());
    }

    byte[] encode() {
      return ByteBuffer.allocate(BYTES)
          .putLong(id)
          .put((byte) (holds ? 1 : 0))
          .putLong(millis)
          .array();
    }
  }

  private final Attempts attempts;
  private final RegionCalls calls;
  private final ClusterClock clock;

  public CutRow(Attempts attempts, RegionCalls calls, ClusterClock clock) {
    this.attempts = attempts;
    this.calls = calls;
    this.clock = clock;
  }

  /** Takes the row for a cut. Returns false if another cut has it. */
  public CompletableFuture<Boolean> take(long id) {
    return change(
        view -> {
          State now = State.decode(view.condition(OwnRows.CUT));
          if (now != null && now.id != id && !isOld(now)) {
            return false;
          }
          view.putOwn(OwnRows.CUT, state(id, false));
          return true;
        });
  }

  /** Renews the row, and holds or not. Returns false if the cut has lost the row. */
  public CompletableFuture<Boolean> renew(long id, boolean holds) {
    return change(
        view -> {
          State now = State.decode(view.condition(OwnRows.CUT));
          if (now == null || now.id != id) {
            return false;
          }
          view.putOwn(OwnRows.CUT, state(id, holds));
          return true;
        });
  }

  /** Renews the row as it is. Returns false if the cut has lost the row. */
  public CompletableFuture<Boolean> renew(long id) {
    return change(
        view -> {
          State now = State.decode(view.condition(OwnRows.CUT));
          if (now == null || now.id != id) {
            return false;
          }
          view.putOwn(OwnRows.CUT, state(id, now.holds));
          return true;
        });
  }

  /** Gives the row up. */
  public CompletableFuture<Boolean> end(long id) {
    return change(
        view -> {
          State now = State.decode(view.condition(OwnRows.CUT));
          if (now != null && now.id == id) {
            view.changeOwn(OwnRows.CUT, null);
          }
          return true;
        });
  }

  /** Returns true if a cut holds, so that nothing may be deleted now. */
  public CompletableFuture<Boolean> isHeld() {
    return change(
        view -> {
          State now = State.decode(view.condition(OwnRows.CUT));
          if (now == null || !now.holds) {
            return false;
          }
          if (isOld(now)) {
            view.changeOwn(OwnRows.CUT, null);
            return false;
          }
          return true;
        });
  }

  /** Returns true if a server makes or copies a cut, so that the cut's files must stay. */
  public CompletableFuture<Boolean> isTaken() {
    return change(
        view -> {
          State now = State.decode(view.condition(OwnRows.CUT));
          if (now != null && isOld(now)) {
            // The server of the cut, if it lives, must find that its files may be gone.
            view.changeOwn(OwnRows.CUT, null);
            return false;
          }
          return now != null;
        });
  }

  /** Waits until no cut holds. */
  public CompletableFuture<Boolean> awaitFree() {
    return Steps.repeat(
        () ->
            Steps.then(
                isHeld(),
                held -> held ? calls.pause(PAUSE) : CompletableFuture.completedFuture(false)));
  }

  private boolean isOld(State state) {
    return clock.cellMillis() - state.millis > AGE_MAX.toMillis();
  }

  private byte[] state(long id, boolean holds) {
    return new State(id, holds, clock.cellMillis()).encode();
  }

  private CompletableFuture<Boolean> change(Function<TransactionView, Boolean> body) {
    return attempts.run(OwnRows.STORE, Deadline.after(TIMEOUT), body);
  }
}
