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
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which reads share a remote call. The test answers them and controls the time. */
class GetCallTest {
  private static final ServerName SERVER = FakeHBase.server("one");
  private static final ServerName OTHER = FakeHBase.server("other");
  private static final int CALLS = 6;
  private static final int QUEUED = 100;

  /** The number of rows of the first batches. */
  private static final int FIRST = 16;

  private final FakeHBase hbase = new FakeHBase();
  private final EngineThreads threads = new EngineThreads();
  private final AtomicLong nanos = new AtomicLong(1);
  private final RegionServers servers =
      new RegionServers(CALLS, QUEUED, Duration.ofHours(1), threads, nanos::get);
  private final RegionCalls calls =
      new RegionCalls(hbase.connection(), "n", servers, new RequestSamples(), threads);

  /** Reads whose answers do not matter. */
  private final List<CompletableFuture<List<Result>>> begun = new ArrayList<>();

  @AfterEach
  void close() {
    calls.close();
    threads.close();
  }

  @Test
  void aLoneReadGoesOutImmediatelyAndAlone() {
    learn("a");
    CompletableFuture<List<Result>> read = read("a");
    assertThat(hbase.sent()).hasSize(2);
    assertThat(hbase.batches()).isEmpty();
    Result answer = answer("a", 1);
    hbase.sent().get(1).answer().complete(answer);
    assertThat(read.join()).containsExactly(answer);
  }

  @Test
  void readsThatGatheredGoTogetherWhenACallReturns() {
    occupy();
    learnAll(List.of("c", "a", "b"));
    List<CompletableFuture<List<Result>>> reads = List.of(read("c"), read("a"), read("b"));
    assertThat(hbase.batches()).isEmpty();
    release();
    Awaitility.await().until(() -> hbase.batches().equals(List.of(List.of("c", "a", "b"))));
    for (String row : List.of("b", "c", "a")) {
      last(row).answer().complete(answer(row, 1));
    }
    assertThat(reads.stream().map(read -> row(read.join().get(0))).toList())
        .containsExactly("c", "a", "b");
  }

  @Test
  void aFullBatchDoesNotWaitForACallToReturn() {
    occupy();
    List<String> rows = IntStream.range(0, FIRST + 1).mapToObj(i -> "r" + i).toList();
    learnAll(rows);
    rows.forEach(this::begin);
    assertThat(hbase.batches()).containsExactly(rows.subList(0, FIRST));
  }

  @Test
  void theNumberOfBatchesIsBounded() {
    occupy();
    List<String> rows = IntStream.range(0, 5 * FIRST).mapToObj(i -> "r" + i).toList();
    learnAll(rows);
    rows.forEach(this::begin);
    assertThat(hbase.batches()).hasSize(CALLS - CallLane.FEW);
  }

  @Test
  void aRowThatFailsFailsOnlyItsOwnRead() {
    occupy();
    learnAll(List.of("a", "b", "c"));
    List<CompletableFuture<List<Result>>> reads = List.of(read("a"), read("b"), read("c"));
    release();
    Awaitility.await().until(() -> hbase.batches().size() == 1);
    hbase.move("b", OTHER);
    last("b").answer().completeExceptionally(new NotServingRegionException("moved"));
    last("a").answer().complete(answer("a", 1));
    last("c").answer().complete(answer("c", 1));
    assertThat(row(reads.get(0).join().get(0))).isEqualTo("a");
    assertThat(row(reads.get(2).join().get(0))).isEqualTo("c");
    Awaitility.await().until(() -> hbase.sentTo(OTHER).size() == 1);
    last("b").answer().complete(answer("b", 1));
    assertThat(row(reads.get(1).join().get(0))).isEqualTo("b");
    assertThat(hbase.sent().stream().filter(sent -> sent.row().equals("a"))).hasSize(2);
  }

  @Test
  void eachReadEndsAtItsOwnDeadline() {
    occupy();
    learnAll(List.of("a", "b"));
    CompletableFuture<List<Result>> late = read("a", Deadline.after(Duration.ofMillis(300)));
    CompletableFuture<List<Result>> patient = read("b");
    release();
    Awaitility.await().until(() -> hbase.batches().size() == 1);
    assertKind(StorageException.Kind.TIMEOUT, late);
    assertThat(patient).isNotDone();
    last("b").answer().complete(answer("b", 1));
    assertThat(row(patient.join().get(0))).isEqualTo("b");
  }

  @Test
  void aReadWhoseDeadlinePassesWhileItWaitsIsNotSent() {
    occupy();
    learnAll(List.of("a", "b"));
    CompletableFuture<List<Result>> late = read("a", Deadline.after(Duration.ofMillis(1)));
    CompletableFuture<List<Result>> patient = read("b");
    assertKind(StorageException.Kind.UNAVAILABLE, late);
    release();
    Awaitility.await().until(() -> last("b").answer() != first("b").answer());
    last("b").answer().complete(answer("b", 1));
    patient.join();
    assertThat(last("a")).isSameAs(first("a"));
  }

  @Test
  void readsOfOtherTablesGoSeparately() {
    occupy();
    learnAll(List.of("a", "b", "c"));
    begin("a");
    begun.add(calls.get(StoreTable.CATALOG, List.of(get("b")), Deadline.NEVER));
    begin("c");
    release();
    Awaitility.await().until(() -> !hbase.batches().isEmpty());
    assertThat(hbase.batches()).containsExactly(List.of("a", "c"));
  }

  @Test
  void theRowsOfOneReadStayTogetherAndInOrder() {
    occupy();
    learnAll(List.of("a", "b", "c"));
    CompletableFuture<List<Result>> read =
        calls.get(StoreTable.TABLES, List.of(get("b"), get("a")), Deadline.NEVER);
    CompletableFuture<List<Result>> single = read("c");
    release();
    Awaitility.await().until(() -> hbase.batches().equals(List.of(List.of("b", "a", "c"))));
    for (String row : List.of("a", "b", "c")) {
      last(row).answer().complete(answer(row, 1));
    }
    assertThat(read.join().stream().map(GetCallTest::row).toList()).containsExactly("b", "a");
    assertThat(row(single.join().get(0))).isEqualTo("c");
  }

  @Test
  void largeAnswersMakeTheNextBatchSmaller() {
    learn("large");
    CompletableFuture<List<Result>> large = read("large");
    last("large").answer().complete(answer("large", (int) CallLane.BATCH_BYTES + 1));
    large.join();
    assertThat(rowsOfNextBatch()).isLessThan(FIRST);
  }

  @Test
  void slowAnswersMakeTheNextBatchSmaller() {
    learn("slow");
    CompletableFuture<List<Result>> slow = read("slow");
    nanos.addAndGet(CallLane.BATCH_TIME.toNanos() + 1);
    last("slow").answer().complete(answer("slow", 1));
    slow.join();
    assertThat(rowsOfNextBatch()).isLessThan(FIRST);
  }

  @Test
  void readsThatHaveGatheredForAWhileGoWithTheNextOne() {
    occupy();
    learnAll(List.of("a", "b"));
    begin("a");
    assertThat(hbase.batches()).isEmpty();
    nanos.addAndGet(CallLane.GATHER_TIME.toNanos());
    begin("b");
    assertThat(hbase.batches()).containsExactly(List.of("a", "b"));
  }

  @Test
  void slowCallsDoNotDelayOtherReadsForLong() {
    occupy();
    learnAll(List.of("a", "b"));
    begin("a");
    begin("b");
    assertThat(hbase.batches()).isEmpty();
    nanos.addAndGet(CallLane.BATCH_TIME.toNanos());
    servers.sweep();
    Awaitility.await().until(() -> hbase.batches().equals(List.of(List.of("a", "b"))));
  }

  @Test
  void closingFailsTheReadsOfABatch() {
    occupy();
    learnAll(List.of("a", "b"));
    List<CompletableFuture<List<Result>>> reads = new ArrayList<>(List.of(read("a"), read("b")));
    release();
    Awaitility.await().until(() -> hbase.batches().size() == 1);
    reads.add(read("a"));
    calls.close();
    reads.forEach(read -> assertKind(StorageException.Kind.CLOSED, read));
  }

  private int rowsOfNextBatch() {
    occupy();
    List<String> rows = IntStream.range(0, FIRST).mapToObj(i -> "n" + i).toList();
    learnAll(rows);
    rows.forEach(this::begin);
    return hbase.batches().get(0).size();
  }

  /** Sends as many reads as may be under way before the next ones gather. */
  private void occupy() {
    learn("busy");
    for (int i = 0; i < CallLane.FEW; i++) {
      begin("busy");
    }
  }

  /** Answers one of those reads. */
  private void release() {
    last("busy").answer().complete(answer("busy", 1));
  }

  private void learnAll(List<String> rows) {
    rows.forEach(this::learn);
  }

  /** Gives a row to the server, and lets the calls look up its region. */
  private void learn(String row) {
    hbase.move(row, SERVER);
    byte[] key = row.getBytes(UTF_8);
    CompletableFuture<Result> read =
        calls.read(
            StoreTable.TABLES, key, Deadline.NEVER, (remote, region) -> remote.get(get(row)));
    last(row).answer().complete(Result.EMPTY_RESULT);
    read.join();
  }

  private void begin(String row) {
    begun.add(read(row));
  }

  private CompletableFuture<List<Result>> read(String row) {
    return read(row, Deadline.NEVER);
  }

  private CompletableFuture<List<Result>> read(String row, Deadline deadline) {
    return calls.get(StoreTable.TABLES, List.of(get(row)), deadline);
  }

  private static Get get(String row) {
    return new Get(row.getBytes(UTF_8));
  }

  private static Result answer(String row, int bytes) {
    KeyValue cell =
        new KeyValue(row.getBytes(UTF_8), StoreTable.FAMILY, StoreTable.QUALIFIER, new byte[bytes]);
    return Result.create(List.of(cell));
  }

  private static String row(Result result) {
    return new String(result.getRow(), UTF_8);
  }

  private Sent first(String row) {
    return hbase.sent().stream().filter(sent -> sent.row().equals(row)).findFirst().orElseThrow();
  }

  private Sent last(String row) {
    List<Sent> all = hbase.sent().stream().filter(sent -> sent.row().equals(row)).toList();
    return all.get(all.size() - 1);
  }

  private static void assertKind(StorageException.Kind kind, CompletableFuture<?> result) {
    assertThatThrownBy(() -> result.get(10, TimeUnit.SECONDS))
        .cause()
        .isInstanceOfSatisfying(StorageException.class, e -> assertThat(e.kind()).isEqualTo(kind));
  }
}
