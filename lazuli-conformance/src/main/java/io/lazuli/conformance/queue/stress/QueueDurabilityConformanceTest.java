package io.lazuli.conformance.queue.stress;

import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.AccountUnderTest;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.ServerProcess;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.queue.QueueMessage;
import io.lazuli.conformance.queue.ScratchQueue;
import io.lazuli.conformance.support.Waiting;
import io.lazuli.conformance.wire.WireAnswer;
import io.lazuli.conformance.wire.WireClient;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/** A crash loses no message, undoes no deletion and hands no message out twice. */
@Covers(value = Area.DURABILITY, service = StorageService.QUEUE)
@Tag("own-server")
class QueueDurabilityConformanceTest {

  private static final int PRODUCERS = 8;
  private static final int CONSUMERS = 8;

  @TempDir private Path folder;
  private final List<ServerProcess> started = new ArrayList<>();
  private final ExecutorService threads = Executors.newFixedThreadPool(PRODUCERS + CONSUMERS);

  @AfterEach
  void killWhatStillRuns() {
    started.forEach(ServerProcess::close);
    threads.shutdownNow();
  }

  /** Starts the server in the folder of this case, with JVM options for a fast start. */
  private ScratchQueue open(String name) {
    ServerProcess server =
        ServerProcess.start(AccountUnderTest.serverJar(), folder, "-XX:+UseSerialGC");
    started.add(server);
    return new ScratchQueue(new WireClient(server.account(StorageService.QUEUE)), name);
  }

  private void kill() {
    started.get(started.size() - 1).kill();
  }

  private static void create(ScratchQueue queue) {
    expect(queue.wire().request("PUT", queue.path()).send()).status(201);
  }

  @Test
  @Documented("queue-rest 14 kills")
  void producersAndConsumersAreKeptTheirPromisesOverKills(TestReporter reporter) {
    produceAndConsume(2, reporter);
  }

  @Test
  @Tag("long")
  @Documented("queue-rest 14 kills")
  void producersAndConsumersAreKeptTheirPromisesOverManyKills(TestReporter reporter) {
    produceAndConsume(20, reporter);
  }

  private void produceAndConsume(int kills, TestReporter reporter) {
    long seed = Long.getLong("conformance.seed", System.nanoTime());
    reporter.publishEntry("conformance.seed", String.valueOf(seed));
    Random random = new Random(seed);
    QueueLedger ledger = new QueueLedger();
    for (int round = 0; round < kills; round++) {
      ScratchQueue queue = open("jobs");
      if (round == 0) {
        create(queue);
      }
      workUntilKilled(queue, ledger, round, 300 + random.nextInt(700));
    }
    ScratchQueue last = open("jobs");
    List<CompletableFuture<Void>> running = new ArrayList<>();
    for (int i = 0; i < CONSUMERS; i++) {
      running.add(CompletableFuture.runAsync(() -> drain(last, ledger), threads));
    }
    running.forEach(QueueDurabilityConformanceTest::join);
    ledger.verify();
    reporter.publishEntry("acknowledged", String.valueOf(ledger.acknowledgedCount()));
    reporter.publishEntry("deleted", String.valueOf(ledger.deletedCount()));
  }

  private void workUntilKilled(ScratchQueue queue, QueueLedger ledger, int round, int millis) {
    int acknowledged = ledger.acknowledgedCount();
    int deleted = ledger.deletedCount();
    List<CompletableFuture<Void>> running = new ArrayList<>();
    for (int i = 0; i < PRODUCERS; i++) {
      String name = "r%02dp%d".formatted(round, i);
      running.add(CompletableFuture.runAsync(() -> produce(queue, ledger, name), threads));
    }
    for (int i = 0; i < CONSUMERS; i++) {
      Random random = new Random(i * 1000L + round);
      running.add(CompletableFuture.runAsync(() -> consume(queue, ledger, random), threads));
    }
    Waiting.until(
        Duration.ofMinutes(1),
        () ->
            ledger.acknowledgedCount() > acknowledged + 2 * PRODUCERS
                && ledger.deletedCount() > deleted + CONSUMERS);
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    kill();
    running.forEach(QueueDurabilityConformanceTest::join);
  }

  private static void join(CompletableFuture<Void> work) {
    work.orTimeout(5, TimeUnit.MINUTES).join();
  }

  private static void produce(ScratchQueue queue, QueueLedger ledger, String name) {
    try {
      for (int i = 0; ; i++) {
        String text = name + "-" + i;
        ledger.trying(text);
        queue.added(text);
        ledger.acknowledged(text);
      }
    } catch (UncheckedIOException e) {
      return;
    }
  }

  /** Takes messages, deletes most of them, returns some, and lets the period of others end. */
  private static void consume(ScratchQueue queue, QueueLedger ledger, Random random) {
    try {
      while (true) {
        for (QueueMessage message : take(queue, ledger)) {
          int choice = random.nextInt(10);
          if (choice < 7) {
            delete(queue, ledger, message);
          }
        }
      }
    } catch (UncheckedIOException e) {
      return;
    }
  }

  private static void drain(ScratchQueue queue, QueueLedger ledger) {
    Waiting.until(
        Duration.ofMinutes(5),
        () -> {
          List<QueueMessage> taken = take(queue, ledger);
          while (!taken.isEmpty()) {
            taken.forEach(message -> delete(queue, ledger, message));
            taken = take(queue, ledger);
          }
          return queue.count() == 0;
        });
  }

  private static List<QueueMessage> take(ScratchQueue queue, QueueLedger ledger) {
    String query =
        "numofmessages=%d&visibilitytimeout=%d"
            .formatted(QueueLedger.TAKEN_MAX, QueueLedger.PERIOD_SECONDS);
    long askedNanos = System.nanoTime();
    List<QueueMessage> taken;
    try {
      taken = queue.taken(query);
    } catch (UncheckedIOException e) {
      ledger.unanswered();
      throw e;
    }
    taken.forEach(message -> ledger.handedOut(message, askedNanos));
    return taken;
  }

  /** Deletes a message. Another consumer may have it by now if this thread was slow. */
  private static void delete(ScratchQueue queue, QueueLedger ledger, QueueMessage message) {
    WireAnswer answer = queue.delete(message.id(), message.receipt()).send();
    if (answer.status() == 204) {
      ledger.deleted(message);
    } else {
      expect(answer).error(404, "MessageNotFound");
    }
  }

  @Test
  @Documented("queue-rest 14 receipts: across a restart of the server; queue-rest 10")
  void receiptsPeriodsAndCountsOutliveAKill() {
    ScratchQueue queue = open("held");
    create(queue);
    queue.added("to delete");
    queue.added("to update");
    QueueMessage put = queue.added("put", "visibilitytimeout=3600&messagettl=-1");
    QueueMessage stale = queue.takenOne("visibilitytimeout=3600");
    WireAnswer renewed = queue.update(stale.id(), stale.receipt(), 3600).send();
    QueueMessage second = queue.takenOne("visibilitytimeout=3600");
    kill();
    ScratchQueue again = open("held");
    assertThat(again.taken("numofmessages=32")).isEmpty();
    assertThat(again.count()).isEqualTo(3);
    expect(again.delete(stale.id(), stale.receipt()).send()).error(404, "MessageNotFound");
    String newest = renewed.header("x-ms-popreceipt").orElse("");
    expect(again.delete(stale.id(), newest).send()).status(204);
    expect(again.update(second.id(), second.receipt(), 0).send()).status(204);
    assertThat(again.takenOne("").dequeueCount()).isEqualTo(2);
    expect(again.delete(put.id(), put.receipt()).send()).status(204);
    assertThat(again.count()).isEqualTo(1);
  }

  @Test
  @Documented("queue-rest 5.3, 6.6: a crash does not undo what was acknowledged")
  void clearedMessagesAndDeletedQueuesStayGone() {
    ScratchQueue cleared = open("cleared");
    ScratchQueue dropped = new ScratchQueue(cleared.wire(), "dropped");
    create(cleared);
    create(dropped);
    for (int i = 0; i < 50; i++) {
      cleared.added("before " + i);
      dropped.added("before " + i);
    }
    QueueMessage taken = cleared.takenOne("");
    expect(cleared.wire().delete(cleared.messages("")).send()).status(204);
    expect(dropped.wire().delete(dropped.path()).send()).status(204);
    cleared.added("after");
    kill();
    ScratchQueue again = open("cleared");
    assertThat(again.count()).isEqualTo(1);
    expect(again.delete(taken.id(), taken.receipt()).send()).error(404, "MessageNotFound");
    assertThat(again.taken("numofmessages=32"))
        .extracting(QueueMessage::text)
        .containsExactly("after");
    ScratchQueue other = new ScratchQueue(again.wire(), "dropped");
    expect(other.get("").send()).error(404, "QueueNotFound");
    create(other);
    assertThat(other.taken("")).isEmpty();
  }
}
