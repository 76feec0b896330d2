package io.lazuli.storage.hbase.call;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.Deadline;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.hbase.call.FakeHBase.Sent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.ipc.CallTimeoutException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls and their repetition, on servers that answer when the test lets them. */
class RegionCallsTest {
  private static final ServerName PAUSED = FakeHBase.server("paused");
  private static final ServerName HEALTHY = FakeHBase.server("healthy");
  private static final int CALLS = 4;
  private static final int QUEUED = 20;

  private final FakeHBase hbase = new FakeHBase();
  private final EngineThreads threads = new EngineThreads();
  private final RegionServers servers =
      new RegionServers(CALLS, QUEUED, Duration.ofHours(1), threads, this::nanoTime);
  private final RegionCalls calls =
      new RegionCalls(hbase.connection(), "n", servers, new RequestSamples(), threads);

  /** The time at which the clock of the calls stands; 0 while it goes. */
  private volatile long standsAtNanos;

  private long nanoTime() {
    long stands = standsAtNanos;
    return stands == 0 ? System.nanoTime() : stands;
  }

  @BeforeEach
  void give() {
    hbase.move("p", PAUSED);
    hbase.move("h", HEALTHY);
    readAndAnswer("p");
    readAndAnswer("h");
  }

  @AfterEach
  void close() {
    calls.close();
    threads.close();
  }

  @Test
  void aPausedServerDelaysOnlyItsOwnCalls() throws Exception {
    // The paused server must not be given up, however slow this machine is.
    standsAtNanos = System.nanoTime();
    List<CompletableFuture<Result>> waiting = new ArrayList<>();
    for (int i = 0; i < CALLS + QUEUED; i++) {
      waiting.add(read("p"));
    }
    assertThat(hbase.sentTo(PAUSED)).hasSize(1 + CALLS);
    assertKind(StorageException.Kind.UNAVAILABLE, read("p"));
    for (int i = 0; i < 1_000; i++) {
      readAndAnswer("h");
    }
    assertThat(waiting).noneMatch(CompletableFuture::isDone);
    for (int i = 0; i < waiting.size(); i++) {
      int next = i + 1;
      Awaitility.await().until(() -> hbase.sentTo(PAUSED).size() > next);
      hbase.sentTo(PAUSED).get(next).answer().complete(Result.EMPTY_RESULT);
    }
    for (CompletableFuture<Result> each : waiting) {
      each.get(10, TimeUnit.SECONDS);
    }
  }

  @Test
  void lookupsThatWaitDelayOnlyTheCallsThatNeedThem() throws Exception {
    hbase.stallMeta();
    hbase.move("new", HEALTHY);
    CompletableFuture<Result> unknown = read("new");
    readAndAnswer("h");
    assertThat(unknown).isNotDone();
    hbase.resumeMeta();
    Awaitility.await().until(() -> hbase.sent().get(hbase.sent().size() - 1).row().equals("new"));
    answer(unknown, hbase.sent().size() - 1);
  }

  @Test
  void aFailedCallIsRepeatedWhereTheRegionIsNow() {
    CompletableFuture<Result> read = read("p");
    hbase.move("p", HEALTHY);
    last(PAUSED).answer().completeExceptionally(new NotServingRegionException("moved"));
    Awaitility.await().until(() -> hbase.sentTo(HEALTHY).size() == 2);
    last(HEALTHY).answer().complete(Result.EMPTY_RESULT);
    assertThat(read.join()).isSameAs(Result.EMPTY_RESULT);
  }

  @Test
  void callsThatWaitForTheOldServerOfARegionGoToTheNewOne() {
    List<CompletableFuture<Result>> reads = new ArrayList<>();
    for (int i = 0; i < CALLS + QUEUED; i++) {
      reads.add(read("p"));
    }
    hbase.move("p", HEALTHY);
    // One of them finds out. The others are still under way or wait for the old server.
    last(PAUSED).answer().completeExceptionally(new CallTimeoutException("paused"));
    Awaitility.await()
        .until(
            () -> {
              hbase.sentTo(HEALTHY).forEach(one -> one.answer().complete(Result.EMPTY_RESULT));
              return reads.stream().filter(CompletableFuture::isDone).count() > QUEUED - CALLS;
            });
    assertThat(hbase.sentTo(PAUSED)).hasSizeLessThanOrEqualTo(1 + CALLS + 1);
  }

  @Test
  void closingFailsWhatIsUnderWayAndWhatWaits() {
    List<CompletableFuture<Result>> reads = new ArrayList<>();
    for (int i = 0; i < CALLS + 1; i++) {
      reads.add(read("p"));
    }
    CompletableFuture<Result> resting = read("h");
    last(HEALTHY).answer().completeExceptionally(new NotServingRegionException("later"));
    hbase.stallMeta();
    hbase.move("new", HEALTHY);
    CompletableFuture<Result> looking = read("new");
    calls.close();
    threads.close();
    reads.forEach(read -> assertKind(StorageException.Kind.CLOSED, read));
    assertKind(StorageException.Kind.CLOSED, resting);
    assertKind(StorageException.Kind.CLOSED, looking);
    assertKind(StorageException.Kind.CLOSED, read("h"));
  }

  @Test
  void aReadEndsAtItsDeadline() {
    Deadline soon = Deadline.after(Duration.ofMillis(100));
    assertKind(StorageException.Kind.TIMEOUT, read("p", soon));
  }

  @Test
  void aBusyRegionIsAskedAgainWithoutALookup() {
    int lookups = hbase.lookups();
    CompletableFuture<Result> read = read("p");
    for (int i = 1; i <= 3; i++) {
      last(PAUSED).answer().completeExceptionally(new RegionTooBusyException("full"));
      int sent = i + 2;
      Awaitility.await().until(() -> hbase.sentTo(PAUSED).size() == sent);
    }
    assertThat(hbase.lookups()).isEqualTo(lookups);
    last(PAUSED).answer().complete(Result.EMPTY_RESULT);
    assertThat(read.join()).isSameAs(Result.EMPTY_RESULT);
  }

  /** Nothing was done, so the client may repeat the request: 503, not 500. */
  @Test
  void aCallThatIsRefusedUntilItsDeadlineIsUnavailable() {
    CompletableFuture<Result> read = read("p", Deadline.after(Duration.ofMillis(500)));
    while (!read.isDone()) {
      underWay()
          .forEach(one -> one.answer().completeExceptionally(new RegionTooBusyException("full")));
      Thread.onSpinWait();
    }
    assertKind(StorageException.Kind.UNAVAILABLE, read);
  }

  @Test
  void aReadThatIsTooLateBecauseOfOverloadIsUnavailable() {
    List<CompletableFuture<Result>> reads = new ArrayList<>();
    for (int i = 0; i < CALLS + 1; i++) {
      reads.add(read("p", Deadline.after(Duration.ofMillis(300))));
    }
    hbase.sentTo(PAUSED).get(1).answer().completeExceptionally(new CallQueueTooBigException("f"));
    reads.forEach(read -> assertKind(StorageException.Kind.UNAVAILABLE, read));
  }

  @Test
  void aServerThatRefusesCallsGetsFewerAndLaterMoreAgain() {
    List<CompletableFuture<Result>> reads = new ArrayList<>();
    for (int i = 0; i < CALLS + QUEUED; i++) {
      reads.add(read("p"));
    }
    for (Sent one : hbase.sentTo(PAUSED)) {
      one.answer().completeExceptionally(new CallQueueTooBigException("full"));
    }
    Awaitility.await().until(() -> underWay().size() == CALLS / 2);
    Awaitility.await().during(Duration.ofMillis(300)).until(() -> underWay().size() == CALLS / 2);
    AtomicInteger most = new AtomicInteger();
    Awaitility.await()
        .until(
            () -> {
              most.accumulateAndGet(underWay().size(), Math::max);
              underWay().stream()
                  .limit(1)
                  .forEach(one -> one.answer().complete(Result.EMPTY_RESULT));
              return reads.stream().allMatch(CompletableFuture::isDone);
            });
    assertThat(most).hasValueGreaterThan(CALLS / 2).hasValueLessThanOrEqualTo(CALLS);
  }

  private List<Sent> underWay() {
    return hbase.sentTo(PAUSED).stream().filter(one -> !one.answer().isDone()).toList();
  }

  private CompletableFuture<Result> read(String row) {
    return read(row, Deadline.NEVER);
  }

  private CompletableFuture<Result> read(String row, Deadline deadline) {
    byte[] key = row.getBytes(UTF_8);
    return calls.read(
        StoreTable.TABLES, key, deadline, (remote, region) -> remote.get(new Get(key)));
  }

  /**
   * The call may be sent a moment later, by another thread: an answer completes its future before
   * it frees its place at the server.
   */
  private void readAndAnswer(String row) {
    int next = hbase.sent().size();
    CompletableFuture<Result> read = read(row);
    while (hbase.sent().size() == next) {
      Thread.onSpinWait();
    }
    answer(read, next);
  }

  private void answer(CompletableFuture<Result> read, int index) {
    hbase.sent().get(index).answer().complete(Result.EMPTY_RESULT);
    assertThat(read.join()).isSameAs(Result.EMPTY_RESULT);
  }

  private Sent last(ServerName server) {
    List<Sent> all = hbase.sentTo(server);
    return all.get(all.size() - 1);
  }

  private static void assertKind(StorageException.Kind kind, CompletableFuture<?> result) {
    assertThatThrownBy(() -> result.get(10, TimeUnit.SECONDS))
        .cause()
        .isInstanceOfSatisfying(StorageException.class, e -> assertThat(e.kind()).isEqualTo(kind));
  }
}
