package io.lazuli.server.queue.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.queue.encoding.Fence;
import io.lazuli.server.queue.encoding.MessageCodec;
import io.lazuli.server.queue.encoding.QueueRows;
import io.lazuli.server.queue.model.QueueMessage;
import io.lazuli.server.queue.service.QueueOutcome.MessagesTaken;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Ticks;
import io.lazuli.storage.contract.ManualClock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two servers that share a queue. Each must find every message, although neither learns of the
 * other's writes, their clocks differ, and one may be paused between a body and its commit.
 */
class SharedQueuesTest {
  private static final String QUEUE = "work";

  private final ManualClock clock = new ManualClock();
  private final StorageEngine store = QueueUnderTest.open("memory", Path.of("unused"), clock);
  private final OptimisticServer one = new OptimisticServer(store);
  private final OptimisticServer two = new OptimisticServer(store);
  private QueueUnderTest first = new QueueUnderTest(one);
  private final QueueUnderTest second = new QueueUnderTest(two);
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @BeforeEach
  void create() {
    first.create(QUEUE);
  }

  @AfterEach
  void close() {
    threads.shutdownNow();
    store.close();
  }

  @Test
  void aPutThatIsCommittedLateIsFoundByAServerThatHasSearchedSince() {
    CompletableFuture<?> pause = one.pause();
    CompletableFuture<QueueMessage> late = first.putLater(QUEUE, "late");
    one.awaitPaused();
    pass(20);
    assertThat(late).isNotDone();
    pause.complete(null);
    late.join();
    assertThat(one.conflicts()).isPositive();
    assertThat(texts(second, 1)).containsExactly("late");
  }

  @Test
  void anUpdateThatIsCommittedLateIsFoundByAServerThatHasSearchedSince() {
    first.put(QUEUE, "a", -1, 0);
    QueueMessage held = first.get(QUEUE, 1, 600).get(0);
    CompletableFuture<?> pause = one.pause();
    CompletableFuture<QueueOutcome> late = first.start(first.updateOf(QUEUE, held, 0));
    one.awaitPaused();
    pass(20);
    pause.complete(null);
    late.join();
    assertThat(texts(second, 1)).containsExactly("a");
  }

  @Test
  void aMessageWhoseTimeoutEndsBeforeTheGetIsCommittedComesBack() {
    pass(20);
    first.put(QUEUE, "a", -1, 0);
    CompletableFuture<?> pause = one.pause();
    CompletableFuture<QueueOutcome> late = first.start(first.getOf(QUEUE, 1, 5));
    one.awaitPaused();
    clock.move(Duration.ofSeconds(30));
    pause.complete(null);
    assertThat(((MessagesTaken) late.join()).messages()).hasSize(1);
    assertThat(second.get(QUEUE, 32, 5))
        .singleElement()
        .satisfies(message -> assertThat(message.dequeueCount()).isEqualTo(2));
  }

  @Test
  void aGetThatIsCommittedTooLateHandsOutNothing() {
    first.put(QUEUE, "a", -1, 0);
    CompletableFuture<?> pause = one.pause();
    CompletableFuture<QueueOutcome> late = first.start(first.getOf(QUEUE, 1, 5));
    one.awaitPaused();
    assertThat(texts(second, 32)).containsExactly("a");
    pause.complete(null);
    assertThat(((MessagesTaken) late.join()).messages()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 40})
  void whatAServerWithASlowerClockPutsOrReturnsIsFoundAtOnce(long seconds) {
    two.setSkew(seconds * Ticks.PER_SECOND);
    pass(20);
    first.put(QUEUE, "put", -1, 0);
    assertThat(texts(second, 32)).contains("put");
    first.put(QUEUE, "kept", 3_600, 0);
    QueueMessage held = first.get(QUEUE, 32, 600).get(0);
    pass(20);
    first.update(QUEUE, held, 0, null);
    assertThat(texts(second, 32)).containsExactly("kept");
  }

  @Test
  void aServerThatStartsDoesNotSearchWhatOthersHaveSearched() {
    pass(200);
    first = new QueueUnderTest(one);
    one.lowestScanned();
    assertThat(first.get(QUEUE, 1, 30)).isEmpty();
    long from = QueueRows.time(one.lowestScanned());
    assertThat(clock.getAsLong() - from).isLessThan(5 * Ticks.PER_SECOND);
  }

  @Test
  void aServerThatOnlySearchesFollowsTheOther() {
    assertThat(first.get(QUEUE, 1, 30)).isEmpty();
    pass(200);
    assertThat(first.get(QUEUE, 1, 30)).isEmpty();
    one.lowestScanned();
    clock.move(Duration.ofSeconds(1));
    assertThat(first.get(QUEUE, 1, 30)).isEmpty();
    assertThat(clock.getAsLong() - QueueRows.time(one.lowestScanned()))
        .isLessThan(5 * Ticks.PER_SECOND);
  }

  @Test
  void aClearedQueueBeginsAgain() {
    pass(20);
    second.clear(QUEUE);
    two.setSkew(-30 * Ticks.PER_SECOND);
    first.put(QUEUE, "new", -1, 0);
    assertThat(texts(second, 1)).isEmpty();
    clock.move(Duration.ofSeconds(31));
    assertThat(texts(second, 1)).containsExactly("new");
  }

  @Test
  void expiredMessagesAreRemovedWhoeverPutThem() {
    two.setSkew(-20 * Ticks.PER_SECOND);
    pass(20);
    second.put(QUEUE, "short", 1, 0);
    pass(5);
    clock.move(Duration.ofSeconds(60));
    assertThat(first.get(QUEUE, 32, 1)).isEmpty();
    assertThat(second.count(QUEUE)).isZero();
    assertThat(first.count(QUEUE)).isZero();
  }

  @Test
  void requestsOfOneServerThatComeTogetherAreOneTransaction() {
    CompletableFuture<?> pause = one.pause();
    List<CompletableFuture<QueueMessage>> puts = new ArrayList<>();
    for (int i = 0; i < 11; i++) {
      puts.add(first.putLater(QUEUE, "put" + i));
      one.awaitPaused();
    }
    int before = one.commits();
    pause.complete(null);
    puts.forEach(CompletableFuture::join);
    assertThat(one.commits() - before).isEqualTo(2);
    assertThat(texts(second, 32)).hasSize(11);
    assertThat(second.count(QUEUE)).isEqualTo(11);
  }

  @Test
  void requestsThatHoldTooMuchAreRefusedAndTheOthersAreServed() {
    CompletableFuture<?> pause = one.pause();
    String text = "x".repeat(1 << 20);
    List<CompletableFuture<QueueMessage>> puts = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      puts.add(first.putLater(QUEUE, text));
    }
    // One is under way, and 31 wait: a message needs a little more than its text.
    assertThat(puts.subList(0, 32)).noneMatch(CompletableFuture::isDone);
    assertThat(puts.subList(32, 40)).allMatch(CompletableFuture::isCompletedExceptionally);
    pause.complete(null);
    puts.subList(0, 32).forEach(CompletableFuture::join);
    assertThat(second.count(QUEUE)).isEqualTo(32);
    first.putLater(QUEUE, text).join();
  }

  @Test
  void aMessageThatCannotBeReadFailsOnlyWhoAskedForIt() {
    first.put(QUEUE, "a", -1, 0);
    QueueMessage held = first.get(QUEUE, 1, 600).get(0);
    CompletableFuture<?> pause = one.pause();
    List<CompletableFuture<QueueMessage>> puts = new ArrayList<>();
    puts.add(first.putLater(QUEUE, "before"));
    one.awaitPaused();
    damage(held);
    CompletableFuture<QueueOutcome> update = first.start(first.updateOf(QUEUE, held, 0));
    puts.add(first.putLater(QUEUE, "after"));
    pause.complete(null);
    puts.forEach(CompletableFuture::join);
    assertThat(update).failsWithin(Duration.ofSeconds(10));
    assertThat(texts(second, 32)).containsExactlyInAnyOrder("before", "after");
  }

  private void damage(QueueMessage message) {
    change(view -> view.put(QueueRows.message(message.id()), new byte[] {77}));
  }

  /** Changes rows of the queue as no server does. */
  private void change(Consumer<PartitionView> change) {
    store
        .transact(
            QueueRows.partition(one.lastSpace()),
            List.of(),
            Deadline.NEVER,
            view -> {
              change.accept(view);
              return true;
            })
        .join();
  }

  @Test
  void whileARestoreCopiesRowsNobodyPassesOverThem() {
    first.put(QUEUE, "used", -1, 0);
    putFence(Fence.HELD);
    pass(20);
    byte[] text = "old".getBytes(StandardCharsets.UTF_8);
    QueueMessage old = QueueMessage.put(UUID.randomUUID(), 1, QueueMessage.NEVER, 0, text);
    change(
        view -> {
          view.put(QueueRows.message(old.id()), MessageCodec.encode(old));
          view.put(QueueRows.visible(old), QueueRows.value(old.id()));
        });
    putFence(Fence.NONE);
    assertThat(texts(second, 32)).contains("old");
  }

  private void putFence(Fence fence) {
    change(view -> view.put(QueueRows.FENCE, fence.encode()));
  }

  /** Random operations on both servers, with clocks that jump, and commits that come late. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void whateverTheServersDoEachFindsEveryMessage(long seed) {
    Random random = new Random(seed);
    QueueUnderTest[] servers = {first, second};
    OptimisticServer[] engines = {one, two};
    Map<String, Boolean> stored = new ConcurrentHashMap<>();
    for (int step = 0; step < 250; step++) {
      int late = random.nextInt(2);
      CompletableFuture<?> pause = engines[late].pause();
      CompletableFuture<QueueMessage> put = servers[late].putLater(QUEUE, "late" + step);
      engines[late].awaitPaused();
      work(servers[1 - late], random, stored);
      engines[random.nextInt(2)].setSkew(random.nextInt(-60, 60) * Ticks.PER_SECOND / 20);
      pause.complete(null);
      stored.put("late" + step + put.join().id(), true);
      clock.move(Duration.ofMillis(random.nextInt(400)));
      work(servers[random.nextInt(2)], random, stored);
    }
    clock.move(Duration.ofSeconds(60));
    assertThat(servers[(int) (seed % 2)].count(QUEUE)).as("seed %d", seed).isEqualTo(stored.size());
    // Only one of them, so that the other's knowledge does not help.
    drain(servers[(int) (seed % 2)], stored);
    assertThat(stored).as("seed %d", seed).isEmpty();
    assertThat(servers[0].count(QUEUE)).isZero();
  }

  private static void work(QueueUnderTest server, Random random, Map<String, Boolean> stored) {
    for (int i = random.nextInt(4); i > 0; i--) {
      String text = "m" + random.nextInt();
      stored.put(text + server.put(QUEUE, text, -1, random.nextInt(3)).id(), true);
    }
    for (QueueMessage message : server.get(QUEUE, 1 + random.nextInt(4), 1 + random.nextInt(3))) {
      if (random.nextInt(3) > 0) {
        server.delete(QUEUE, message);
        remove(stored, message);
      } else if (random.nextBoolean()) {
        server.update(QUEUE, message, 0, null);
      }
    }
  }

  private static void drain(QueueUnderTest server, Map<String, Boolean> stored) {
    for (List<QueueMessage> taken = server.get(QUEUE, 32, 600);
        !taken.isEmpty();
        taken = server.get(QUEUE, 32, 600)) {
      for (QueueMessage message : taken) {
        server.delete(QUEUE, message);
        remove(stored, message);
      }
    }
  }

  private static void remove(Map<String, Boolean> stored, QueueMessage message) {
    String text = new String(message.text(), StandardCharsets.UTF_8);
    assertThat(stored.remove(text + message.id())).as(text).isTrue();
  }

  @Test
  void consumersOnTwoServersNeverShareAMessageAndLoseNone() {
    int producers = 4;
    int each = 500;
    Set<String> held = ConcurrentHashMap.newKeySet();
    Set<String> handedOut = ConcurrentHashMap.newKeySet();
    AtomicInteger left = new AtomicInteger(producers * each);
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < producers; i++) {
      QueueUnderTest server = i % 2 == 0 ? first : second;
      int producer = i;
      running.add(
          threads.submit(
              () -> {
                for (int n = 0; n < each; n++) {
                  server.put(QUEUE, producer + "-" + n, -1, 0);
                  clock.move(Duration.ofMillis(1));
                }
              }));
    }
    for (int i = 0; i < 8; i++) {
      QueueUnderTest server = i % 2 == 0 ? first : second;
      int batch = 1 + i % 3;
      running.add(threads.submit(() -> consume(server, batch, left, held, handedOut)));
    }
    running.forEach(SharedQueuesTest::get);
    assertThat(handedOut).hasSize(producers * each);
    assertThat(first.count(QUEUE)).isZero();
    assertThat(second.get(QUEUE, 32, 1)).isEmpty();
  }

  private static void consume(
      QueueUnderTest server,
      int batch,
      AtomicInteger left,
      Set<String> held,
      Set<String> handedOut) {
    while (left.get() > 0) {
      for (QueueMessage message : server.get(QUEUE, batch, 3_600)) {
        String text = new String(message.text(), StandardCharsets.UTF_8);
        assertThat(held.add(text)).as("%s is held by somebody else", text).isTrue();
        boolean giveBack = message.dequeueCount() == 1 && text.hashCode() % 7 == 0;
        assertThat(handedOut.add(text) || message.dequeueCount() > 1).isTrue();
        held.remove(text);
        if (giveBack) {
          server.update(QUEUE, message, 0, null);
        } else {
          server.delete(QUEUE, message);
          left.decrementAndGet();
        }
      }
    }
  }

  /** The second server uses the queue, and raises the fence and its marks. */
  private void pass(int seconds) {
    for (int i = 0; i < seconds; i++) {
      clock.move(Duration.ofSeconds(1));
      second.put(QUEUE, "pass", -1, 0);
      for (QueueMessage message : second.get(QUEUE, 32, 3_600)) {
        second.delete(QUEUE, message);
      }
    }
  }

  private static List<String> texts(QueueUnderTest server, int max) {
    return server.get(QUEUE, max, 3_600).stream()
        .map(message -> new String(message.text(), StandardCharsets.UTF_8))
        .toList();
  }

  private static <T> T get(Future<T> future) {
    try {
      return future.get(2, TimeUnit.MINUTES);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
