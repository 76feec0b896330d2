package io.lazuli.storage.hbase.commit;

import io.lazuli.storage.Deadline;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.hbase.call.CallFailure;
import io.lazuli.storage.hbase.call.EngineThreads;
import io.lazuli.storage.hbase.call.RegionCalls;
import io.lazuli.storage.hbase.call.Steps;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MultiRowMutationService;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MutateRowsRequest;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MutateRowsResponse;

/**
 * Sends commits to their regions. A commit goes out at once if no other commit is under way at its
 * region. Otherwise it waits, and the commits that have gathered go out in one call. The region
 * carries out such a call completely or not at all. If it refuses the call, each half is sent
 * again, so that in the end only those commits are refused whose conditions do not hold.
 *
 * <p>Each method makes one attempt. Its future fails with a {@link CallFailure} that says whether
 * this commit may have been carried out, whichever other commits were in the same call. Never
 * blocks. Thread-safe.
 */
final class CommitCalls {
  /** The number of commits that may wait for the regions of one region server. */
  static final int WAITING_MAX = 4_096;

  private static final Duration SWEEP_EVERY = Duration.ofMillis(50);

  private final RegionCalls calls;
  private final EngineThreads threads;
  private final GatherRule rule;

  private final LongAdder shared = new LongAdder();

  /** The commits of the regions at which calls are under way, by the name of the region. */
  private final Map<String, GatheredCommits> regions = new ConcurrentHashMap<>();

  /** The number of waiting commits of each region server. */
  private final Map<String, Integer> waiting = new ConcurrentHashMap<>();

  CommitCalls(RegionCalls calls, EngineThreads threads) {
    this(calls, threads, GatherRule.DEFAULT);
  }

  CommitCalls(RegionCalls calls, EngineThreads threads, GatherRule rule) {
    this.calls = calls;
    this.threads = threads;
    this.rule = rule;
    threads.every(SWEEP_EVERY, this::sweep);
  }

  /** Sends a commit in its own call. */
  CompletableFuture<Boolean> sendAlone(Commit commit, Deadline limit) {
    return write(List.of(new WaitingCommit(commit, limit, "")));
  }

  /** Sends a commit, now or together with others of its region. */
  CompletableFuture<Boolean> send(Commit commit, Deadline limit) {
    return Steps.then(
        calls.location(commit.table(), commit.anyRow(), limit),
        location -> {
          WaitingCommit one =
              new WaitingCommit(commit, limit, String.valueOf(location.getServerName()));
          enter(location, one);
          return one.result();
        });
  }

  private void enter(HRegionLocation location, WaitingCommit one) {
    String region = location.getRegion().getEncodedName();
    boolean[] isFirst = new boolean[1];
    boolean[] hasRoom = {true};
    regions.compute(
        region,
        (name, gathered) -> {
          if (gathered == null) {
            isFirst[0] = true;
            return new GatheredCommits(rule);
          }
          hasRoom[0] = waiting.merge(one.server(), 1, Integer::sum) <= WAITING_MAX;
          if (hasRoom[0]) {
            gathered.add(one);
          }
          return gathered;
        });
    if (isFirst[0]) {
      call(region, List.of(one));
    } else if (!hasRoom[0]) {
      leave(one);
      one.fail(
          new StorageException(
              StorageException.Kind.UNAVAILABLE,
              "too many commits wait for region server " + one.server()));
    }
  }

  /** Returns the number of commits that wait until others were answered. */
  int waiting() {
    return waiting.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Returns how many commits were sent in calls that they shared. */
  long shared() {
    return shared.sum();
  }

  private void leave(WaitingCommit one) {
    waiting.computeIfPresent(one.server(), (name, count) -> count == 1 ? null : count - 1);
  }

  /** Makes a call that counts as under way at its region. */
  private void call(String region, List<WaitingCommit> commits) {
    CompletableFuture<Boolean> answer = Steps.begin(() -> write(commits));
    if (answer.isDone()) {
      // On another stack, because many calls that fail immediately would fill it.
      threads.execute(() -> listen(region, commits, answer));
    } else {
      listen(region, commits, answer);
    }
  }

  private void listen(
      String region, List<WaitingCommit> commits, CompletableFuture<Boolean> answer) {
    CompletableFuture<Boolean> unused =
        answer.whenComplete(
            (done, failure) -> {
              if (failure == null && !done && commits.size() > 1) {
                split(region, commits);
                return;
              }
              // The next call starts first: whatever waits for these results may take long.
              ended(region);
              Consumer<WaitingCommit> end =
                  failure == null
                      ? each -> each.result().complete(done)
                      : each -> each.fail(ofOne(failure, commits.size()));
              // The workers share what follows.
              commits
                  .subList(1, commits.size())
                  .forEach(each -> threads.execute(() -> end.accept(each)));
              end.accept(commits.get(0));
            });
  }

  private CompletableFuture<Boolean> write(List<WaitingCommit> commits) {
    Commit first = commits.get(0).commit();
    List<byte[]> rows = commits.stream().map(each -> each.commit().anyRow()).toList();
    MutateRowsRequest request = request(commits);
    return calls.writeIf(
        first.table(),
        rows,
        WaitingCommit.earliest(commits),
        (remote, region) -> mutate(remote, request, rows.get(0)));
  }

  private static MutateRowsRequest request(List<WaitingCommit> commits) {
    if (commits.size() == 1) {
      return commits.get(0).commit().request();
    }
    MutateRowsRequest.Builder all = MutateRowsRequest.newBuilder();
    commits.forEach(each -> all.mergeFrom(each.commit().request()));
    return all.build();
  }

  static CompletableFuture<Boolean> mutate(
      AsyncTable<AdvancedScanResultConsumer> remote, MutateRowsRequest request, byte[] row) {
    return remote
        .<MultiRowMutationService.Stub, MutateRowsResponse>coprocessorService(
            MultiRowMutationService::newStub,
            (stub, rpc, done) -> stub.mutateRows(rpc, request, done),
            row)
        .thenApply(MutateRowsResponse::getProcessed);
  }

  /** Sends the two halves of a call that was refused, and of which nothing was carried out. */
  private void split(String region, List<WaitingCommit> commits) {
    regions.computeIfPresent(region, (name, gathered) -> gathered.begun());
    int middle = commits.size() / 2;
    call(region, commits.subList(0, middle));
    call(region, commits.subList(middle, commits.size()));
  }

  /** Ends a call. After the last one that is under way, sends what has gathered. */
  private void ended(String region) {
    List<WaitingCommit> next = new ArrayList<>();
    List<WaitingCommit> late = new ArrayList<>();
    regions.computeIfPresent(
        region,
        (name, gathered) -> {
          late.addAll(gathered.takeLate());
          next.addAll(gathered.ended());
          return gathered.isIdle() ? null : gathered;
        });
    next.forEach(this::leave);
    if (!next.isEmpty()) {
      shared.add(next.size() > 1 ? next.size() : 0);
      call(region, next);
    }
    failLate(late);
  }

  /**
   * Returns what the failure of a call means for one of its commits. If several shared the call and
   * it was not sent, each tries again and gets its own failure: the time of one may be up, while
   * others have more.
   */
  private static Throwable ofOne(Throwable failure, int commits) {
    if (commits == 1) {
      return failure;
    }
    if (failure instanceof CallFailure call) {
      return call.ofOneOfSeveral();
    }
    return failure instanceof StorageException e && e.kind() == StorageException.Kind.UNAVAILABLE
        ? CallFailure.notSent(e)
        : failure;
  }

  /** Fails the waiting commits whose time is up. Runs on the timer. */
  private void sweep() {
    List<WaitingCommit> late = new ArrayList<>();
    for (String region : regions.keySet()) {
      regions.computeIfPresent(
          region,
          (name, gathered) -> {
            late.addAll(gathered.takeLate());
            return gathered;
          });
    }
    failLate(late);
  }

  private void failLate(List<WaitingCommit> late) {
    for (WaitingCommit each : late) {
      leave(each);
      threads.execute(
          () ->
              each.fail(
                  new StorageException(
                      StorageException.Kind.UNAVAILABLE,
                      "region server " + each.server() + " does not answer")));
    }
  }
}
