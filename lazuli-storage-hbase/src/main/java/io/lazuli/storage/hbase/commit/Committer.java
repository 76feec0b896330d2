package io.lazuli.storage.hbase.commit;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.hbase.call.CallFailure;
import io.lazuli.storage.hbase.call.CallingThread;
import io.lazuli.storage.hbase.call.RegionCalls;
import io.lazuli.storage.hbase.call.Rows;
import io.lazuli.storage.hbase.call.StoredCell;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MultiRowMutationService;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MutateRowsRequest;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MutateRowsResponse;

/**
 * Carries out prepared commits. If the answer to a commit is lost, it finds out whether the commit
 * took place. Thread-safe. Blocks.
 */
public final class Committer {
  private final RegionCalls calls;
  private final Rows rows;

  public Committer(RegionCalls calls, Rows rows) {
    this.calls = calls;
    this.rows = rows;
  }

  /**
   * Carries out a commit.
   *
   * @return false if a row that the body read has changed since; nothing was written then
   * @throws StorageException of kind {@code UNKNOWN_OUTCOME} if the outcome cannot be found out
   */
  boolean commit(Commit commit, Deadline deadline) {
    CallingThread thread = CallingThread.current();
    thread.begin();
    try {
      return commitWithin(commit, RegionCalls.bounded(deadline));
    } finally {
      thread.end();
    }
  }

  private boolean commitWithin(Commit commit, Deadline limit) {
    MutateRowsRequest request = commit.request();
    boolean inFlight = false;
    while (true) {
      requireTime(limit, inFlight);
      try {
        boolean done =
            calls.writeIf(
                commit.table(),
                commit.anyRow(),
                (remote, region) -> mutate(remote, request, commit));
        if (done || !inFlight) {
          return done;
        }
      } catch (CallFailure e) {
        inFlight |= e.meaning() == CallFailure.Meaning.UNCLEAR;
        recover(commit, e, inFlight, limit);
      } catch (StorageException e) {
        throw inFlight ? unknown(String.valueOf(e.getMessage())) : e;
      }
      if (inFlight && isCarriedOut(commit, limit)) {
        return true;
      }
    }
  }

  private void recover(Commit commit, CallFailure failure, boolean inFlight, Deadline limit) {
    try {
      calls.requireRepeatable(failure);
      calls.recover(commit.table(), commit.anyRow(), limit);
    } catch (StorageException e) {
      throw inFlight ? unknown(String.valueOf(e.getMessage())) : e;
    }
  }

  /**
   * Returns true if all rows that the body read by key had the content that it read at one common
   * point in time.
   */
  boolean holds(Commit commit, Deadline deadline) {
    MutateRowsRequest request = commit.request();
    return calls.read(
        commit.table(),
        commit.anyRow(),
        deadline,
        (remote, region) -> mutate(remote, request, commit));
  }

  private static CompletableFuture<Boolean> mutate(
      AsyncTable<AdvancedScanResultConsumer> remote, MutateRowsRequest request, Commit commit) {
    return remote
        .<MultiRowMutationService.Stub, MutateRowsResponse>coprocessorService(
            MultiRowMutationService::newStub,
            (stub, rpc, done) -> stub.mutateRows(rpc, request, done),
            commit.anyRow())
        .thenApply(MutateRowsResponse::getProcessed);
  }

  /**
   * Checks whether a copy of the request whose answer was lost was carried out.
   *
   * @return false if none was carried out so far; the same request may be sent again
   */
  private boolean isCarriedOut(Commit commit, Deadline limit) {
    List<Bytes> order = new ArrayList<>(commit.conditions().keySet());
    commit.written().stream()
        .filter(row -> !commit.conditions().containsKey(row))
        .forEach(order::add);
    List<StoredCell> cells = reread(commit, order, limit);
    boolean unchanged = true;
    for (int i = 0; i < order.size(); i++) {
      StoredCell before = commit.conditions().get(order.get(i));
      if (commit.written().contains(order.get(i)) && cells.get(i).isWrittenBy(commit.writeId())) {
        return true;
      }
      unchanged &= before == null || before.isSameAs(cells.get(i));
    }
    if (!unchanged) {
      // Another transaction wrote in between. It may have overwritten our write, so nobody can tell
      // whether our write took place.
      throw unknown("an answer was lost while other transactions wrote");
    }
    return false;
  }

  private List<StoredCell> reread(Commit commit, List<Bytes> order, Deadline limit) {
    try {
      return rows.readAll(commit.partition(), order, limit);
    } catch (StorageException e) {
      throw unknown("an answer was lost, and the outcome of the write could not be read");
    }
  }

  private static void requireTime(Deadline limit, boolean inFlight) {
    if (!inFlight) {
      limit.check();
    } else if (limit.hasPassed()) {
      throw unknown("the deadline passed while a write was under way");
    }
  }

  private static StorageException unknown(String message) {
    return new StorageException(StorageException.Kind.UNKNOWN_OUTCOME, message);
  }
}
