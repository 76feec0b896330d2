package io.lazuli.storage.hbase.commit;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.hbase.call.CallFailure;
import io.lazuli.storage.hbase.call.RegionCalls;
import io.lazuli.storage.hbase.call.Rows;
import io.lazuli.storage.hbase.call.Steps;
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
 * took place. Never blocks. Thread-safe.
 */
public final class Committer {
  private final RegionCalls calls;
  private final Rows rows;

  public Committer(RegionCalls calls, Rows rows) {
    this.calls = calls;
    this.rows = rows;
  }

  /**
   * Carries out a commit. Fails with {@code UNKNOWN_OUTCOME} if the outcome cannot be found out.
   *
   * @return false if a row that the body read has changed since; nothing was written then
   */
  CompletableFuture<Boolean> commit(Commit commit, Deadline deadline) {
    return new Run(commit, RegionCalls.bounded(deadline)).start();
  }

  /**
   * Returns true if all rows that the body read by key had the content that it read at one common
   * point in time.
   */
  CompletableFuture<Boolean> holds(Commit commit, Deadline deadline) {
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

  private static StorageException unknown(String message) {
    return new StorageException(StorageException.Kind.UNKNOWN_OUTCOME, message);
  }

  /** One commit with all its attempts. Used by one thread at a time. */
  private final class Run {
    private final Commit commit;
    private final Deadline limit;
    private final MutateRowsRequest request;
    private final CompletableFuture<Boolean> result = new CompletableFuture<>();

    /** True if a copy of the request may have been carried out, or may still be. */
    private boolean inFlight;

    private int failures;

    Run(Commit commit, Deadline limit) {
      this.commit = commit;
      this.limit = limit;
      this.request = commit.request();
    }

    CompletableFuture<Boolean> start() {
      attempt();
      return result;
    }

    private void attempt() {
      if (limit.hasPassed()) {
        fail(
            inFlight
                ? unknown("the deadline passed while a write was under way")
                : new StorageException(StorageException.Kind.TIMEOUT, "the deadline has passed"));
        return;
      }
      Steps.listen(
          Steps.begin(
              () ->
                  calls.writeIf(
                      commit.table(),
                      commit.anyRow(),
                      limit,
                      (remote, region) -> mutate(remote, request, commit))),
          result,
          this::answered,
          this::failed);
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
        fail(failure);
        return;
      }
      inFlight |= call.meaning() == CallFailure.Meaning.UNCLEAR;
      Exception refusal = calls.refusal(call);
      if (refusal != call) {
        fail(refusal);
      } else if (call.meaning() == CallFailure.Meaning.NOT_SENT) {
        attempt();
      } else {
        failures++;
        Steps.listen(
            calls.recover(commit.table(), commit.anyRow(), limit, failures),
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
