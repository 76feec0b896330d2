package io.lazuli.conformance.queue.stress;

import static io.lazuli.conformance.wire.AnswerAssert.expect;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.StorageService;
import io.lazuli.conformance.queue.QueueMessage;
import io.lazuli.conformance.queue.ScratchQueue;
import io.lazuli.conformance.support.Crowd;
import io.lazuli.conformance.support.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Many consumers on one queue, and the queue patterns of the design guide. */
@Covers(value = Area.CONCURRENCY, service = StorageService.QUEUE)
class ConsumersConformanceTest {

  private static final int CONSUMERS = 16;
  private static final int ATTEMPTS_MAX = 3;

  private final ScratchQueue queue = ScratchQueue.create();

  @Test
  @Documented("queue-rest 14 consumers: with fewer messages")
  void sixteenConsumersReceiveEachMessageOnce() {
    receiveOnce(1_600);
  }

  @Test
  @Tag("long")
  @Documented("queue-rest 14 consumers: 16 × 10,000")
  void sixteenConsumersReceiveEachOfManyMessagesOnce() {
    receiveOnce(10_000);
  }

  private void receiveOnce(int count) {
    List<String> put =
        Crowd.run(CONSUMERS, i -> () -> putShare(i, count)).stream().flatMap(List::stream).toList();
    List<QueueMessage> taken =
        Crowd.run(CONSUMERS, i -> this::takeAll).stream().flatMap(List::stream).toList();
    assertThat(taken).extracting(QueueMessage::text).containsExactlyInAnyOrderElementsOf(put);
    assertThat(taken).allMatch(message -> message.dequeueCount() == 1);
    assertThat(queue.count()).isZero();
  }

  private List<String> putShare(int producer, int count) {
    List<String> texts =
        IntStream.range(0, count / CONSUMERS).mapToObj(i -> producer + "/" + i).toList();
    texts.forEach(queue::added);
    return texts;
  }

  /** Takes messages until none is visible, and deletes them. */
  private List<QueueMessage> takeAll() {
    List<QueueMessage> all = new ArrayList<>();
    List<QueueMessage> some = queue.taken("numofmessages=7&visibilitytimeout=600");
    while (!some.isEmpty()) {
      all.addAll(some);
      some.forEach(m -> expect(queue.delete(m.id(), m.receipt()).send()).status(204));
      some = queue.taken("numofmessages=7&visibilitytimeout=600");
    }
    return all;
  }

  /** One hand-out of a message, with the times before the request and after the answer. */
  private record HandOut(String id, int count, long askedNanos, long cameNanos) {}

  @Test
  @Documented("queue-rest 1.2 rule 1, 14 dequeue count: exact with 16 consumers")
  void noHandOutOverlapsAnotherAndNoneGoesUncounted() {
    IntStream.range(0, 20).forEach(i -> queue.added("m" + i));
    List<HandOut> all =
        Crowd.run(CONSUMERS, i -> this::takeThreeTimes).stream().flatMap(List::stream).toList();
    Map<String, Map<Integer, HandOut>> byMessage = new HashMap<>();
    for (HandOut one : all) {
      HandOut same =
          byMessage.computeIfAbsent(one.id(), id -> new HashMap<>()).put(one.count(), one);
      assertThat(same).as("a dequeue count that occurs twice").isNull();
    }
    assertThat(byMessage).hasSize(20);
    byMessage.values().forEach(ConsumersConformanceTest::expectApart);
  }

  private static void expectApart(Map<Integer, HandOut> handOuts) {
    for (int count = 1; count <= handOuts.size(); count++) {
      HandOut one = handOuts.get(count);
      HandOut next = handOuts.get(count + 1);
      assertThat(one).as("hand-out %d of %s", count, handOuts).isNotNull();
      if (one != null && next != null) {
        assertThat(next.cameNanos() - one.askedNanos())
            .as("%s, then %s", one, next)
            .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(950));
      }
    }
  }

  /**
   * Takes messages and lets them become visible again, until a message is handed out for the third
   * time.
   */
  private List<HandOut> takeThreeTimes() {
    List<HandOut> seen = new ArrayList<>();
    Waiting.until(
        Duration.ofMinutes(1),
        () -> {
          long asked = System.nanoTime();
          List<QueueMessage> taken = queue.taken("numofmessages=3&visibilitytimeout=1");
          long came = System.nanoTime();
          taken.forEach(m -> seen.add(new HandOut(m.id(), m.dequeueCount(), asked, came)));
          return taken.stream().anyMatch(message -> message.dequeueCount() >= 3);
        });
    return seen;
  }

  @Test
  @Documented("queue-rest 10: poison messages, moved after too many attempts")
  void aPoisonMessageIsMovedAsideByItsDequeueCount() {
    ScratchQueue poison = ScratchQueue.named(queue.name() + "-poison");
    expect(poison.wire().request("PUT", poison.path()).send()).status(201);
    List.of("good 1", "poison", "good 2").forEach(queue::added);
    List<String> done = new ArrayList<>();
    List<QueueMessage> taken = queue.taken("");
    while (!taken.isEmpty()) {
      work(taken.get(0), poison, done);
      taken = queue.taken("");
    }
    assertThat(done).containsExactly("good 1", "good 2");
    assertThat(queue.count()).isZero();
    assertThat(poison.peeked()).extracting(QueueMessage::text).containsExactly("poison");
  }

  /**
   * Processes a message as the design guide says. A poison message is copied before it is deleted,
   * and a failed message is returned early.
   */
  private void work(QueueMessage message, ScratchQueue poison, List<String> done) {
    if (message.dequeueCount() > ATTEMPTS_MAX) {
      assertThat(message.text()).isEqualTo("poison");
      assertThat(message.dequeueCount()).isEqualTo(ATTEMPTS_MAX + 1);
      poison.added(message.text());
      expect(queue.delete(message.id(), message.receipt()).send()).status(204);
    } else if (message.text().equals("poison")) {
      expect(queue.update(message.id(), message.receipt(), 0).send()).status(204);
    } else {
      done.add(message.text());
      expect(queue.delete(message.id(), message.receipt()).send()).status(204);
    }
  }

  @Test
  @Documented("queue-rest 1.2 rule 2: of many deletions with one receipt, one succeeds")
  void oneDeletionSucceeds() {
    QueueMessage put = queue.added("text");
    List<Integer> statuses =
        Crowd.run(CONSUMERS, i -> () -> queue.delete(put.id(), put.receipt()).send().status());
    assertThat(statuses).containsOnlyOnce(204).containsOnly(204, 404);
    Set<String> left = new HashSet<>();
    queue.peeked().forEach(message -> left.add(message.id()));
    assertThat(left).isEmpty();
  }
}
