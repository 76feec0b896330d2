package io.lazuli.storage.hbase.commit;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.hbase.call.CallFailure;
import io.lazuli.storage.hbase.call.EngineThreads;
import io.lazuli.storage.hbase.call.RegionCalls;
import io.lazuli.storage.hbase.call.Rows;
import io.lazuli.storage.hbase.call.Steps;
import io.lazuli.storage.hbase.call.StoredCell;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Carries out prepared commits. If the answer to a commit is lost, it finds out whether the commit
 * took place. Never blocks. Thread-safe.
 */
public final class Committer {
  private final RegionCalls calls;
  private final Rows rows;
  private final CommitCalls commitCalls;

  public Committer(RegionCalls calls, Rows rows, EngineThreads threads) {
    this(calls, rows, new CommitCalls(calls, threads));
  }

  Committer(RegionCalls calls, Rows rows, CommitCalls commitCalls) {
    this.calls = calls;
    this.rows = rows;
    this.commitCalls = commitCalls;
  }

  /** Returns how many commits were sent in calls that they shared. */
  long shared() {
    return commitCalls.shared();
  }

  /**
   * Carries out a commit. Fails with {@code UNKNOWN_OUTCOME} if the outcome cannot be found out.
   *
   * @param alone true if the commit may well be refused; it then shares no call with others, which
   *     would be refused with it
   * @return false if a row that the body read has changed since; nothing was written then
   */
  CompletableFuture<Boolean> commit(Commit commit, Deadline deadline, boolean alone) {
    return new Run(commit, RegionCalls.bounded(deadline), alone).start();
  }

  /**
   * Returns true if all rows that the body read by key had the content that it read at one common
   * point in time.
   */
  CompletableFuture<Boolean> holds(Commit commit, Deadline deadline) {
    byte[] row = commit.anyRow();
    return calls.read(
        commit.table(),
        row,
        deadline,
        (remote, region) -> CommitCalls.mutate(remote, commit.request(), row));
  }

  private static StorageException unknown(String message) {
    return new StorageException(StorageException.Kind.UNKNOWN_OUTCOME, message);
  }

  /** One commit with all its attempts. Used by one thread at a time. */
  private final class Run {
    private final Commit commit;
    private final Deadline limit;
    private final CompletableFuture<Boolean> result = new CompletableFuture<>();

    /** True if a copy of the request may have been carried out, or may still be. */
    private boolean inFlight;

    /**
     * True if the commit shares no call. After a failure it is sent alone, so that it gets its own
     * answer, and so that a copy that may still be under way concerns no other commit.
     */
    private boolean alone;

    private int failures;

    /** The last failure, if it says that the region is busy. */
    private @Nullable CallFailure busy;

    Run(Commit commit, Deadline limit, boolean alone) {
      this.commit = commit;
      this.limit = limit;
      this.alone = alone;
    }

    CompletableFuture<Boolean> start() {
      attempt();
      return result;
    }

    private void attempt() {
      if (limit.hasPassed()) {
        fail(inFlight ? unknown("the deadline passed while a write was under way") : late());
        return;
      }
      Steps.listen(
          Steps.begin(
              () -> alone ? commitCalls.sendAlone(commit, limit) : commitCalls.send(commit, limit)),
          result,
          this::answered,
          this::failed);
    }

    private StorageException late() {
      CallFailure refused = busy;
      return refused == null
          ? new StorageException(StorageException.Kind.TIMEOUT, "the deadline has passed")
          : RegionCalls.busy(refused);
    }

    private void answered(boolean done) {
      if (done || !inFlight) {
        result.complete(done);
      } else {
        resolve();
      }
    }

    private void failed(Throwable failure) {
      if (!(failure instanceof CallFailure call)) {
        alone = true;
        fail(failure);
        return;
      }
      boolean isBusy = call.meaning() == CallFailure.Meaning.BUSY;
      // Nothing was done, and one call for each commit would make the load worse.
      alone |= !isBusy;
      busy = isBusy ? call : null;
      inFlight |= call.meaning() == CallFailure.Meaning.UNCLEAR;
      Exception refusal = calls.refusal(call);
      if (refusal != call) {
        fail(refusal);
      } else if (call.meaning() == CallFailure.Meaning.NOT_SENT) {
        attempt();
      } else {
        failures++;
        Steps.listen(
            calls.recover(commit.table(), commit.anyRow(), limit, call, failures),
            result,
            recovered -> next(),
            this::fail);
      }
    }

    private void next() {
      if (inFlight) {
        resolve();
      } else {
        attempt();
      }
    }

    /** Ends the commit. A copy that is under way makes every failure of the engine unknown. */
    private void fail(Throwable failure) {
      boolean isUnknown = inFlight && failure instanceof StorageException;
      result.completeExceptionally(
          isUnknown ? unknown(String.valueOf(failure.getMessage())) : failure);
    }

    /** Reads whether a copy of the request whose answer was lost was carried out. */
    private void resolve() {
      List<Bytes> order = new ArrayList<>(commit.conditions().keySet());
      commit.written().stream()
          .filter(row -> !commit.conditions().containsKey(row))
          .forEach(order::add);
      Steps.listen(
          Steps.begin(() -> rows.readAll(commit.partition(), order, limit)),
          result,
          cells -> judge(order, cells),
          failure ->
              fail(unknown("an answer was lost, and the outcome of the write could not be read")));
    }

    /** If no copy was carried out so far, the same request is sent again. */
    private void judge(List<Bytes> order, List<StoredCell> cells) {
      boolean unchanged = true;
      for (int i = 0; i < order.size(); i++) {
        StoredCell before = commit.conditions().get(order.get(i));
        if (commit.written().contains(order.get(i)) && cells.get(i).isWrittenBy(commit.writeId())) {
          result.complete(true);
          return;
        }
        unchanged &= before == null || before.isSameAs(cells.get(i));
      }
      if (unchanged) {
        attempt();
      } else {
        // Another transaction wrote in between. It may have overwritten our write, so nobody can
        // tell whether our write took place.
        fail(unknown("an answer was lost while other transactions wrote"));
      }
    }
  }
}
