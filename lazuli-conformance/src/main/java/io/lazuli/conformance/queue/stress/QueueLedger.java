package io.lazuli.conformance.queue.stress;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.queue.QueueMessage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Records the server's acknowledgements to producers and consumers, and checks them after the
 * server was killed. The times are taken in this JVM, before a request is sent and after its answer
 * arrives, so that the checks are never too strict. Safe for use by many threads.
 */
final class QueueLedger {

  static final int TAKEN_MAX = 4;
  static final int PERIOD_SECONDS = 2;

  private record HandOut(int count, long askedNanos, long cameNanos) {}

  private final Set<String> tried = ConcurrentHashMap.newKeySet();
  private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
  private final Set<String> delivered = ConcurrentHashMap.newKeySet();
  private final Map<String, Long> deletedNanos = new ConcurrentHashMap<>();
  private final Map<String, Queue<HandOut>> handOuts = new ConcurrentHashMap<>();
  private final AtomicInteger unanswered = new AtomicInteger();

  void trying(String text) {
    tried.add(text);
  }

  void acknowledged(String text) {
    acknowledged.add(text);
  }

  /**
   * Records a get that was not answered. The server may have handed out messages that nobody
   * received.
   */
  void unanswered() {
    unanswered.incrementAndGet();
  }

  void deleted(QueueMessage message) {
    deletedNanos.put(message.id(), System.nanoTime());
  }

  void handedOut(QueueMessage message, long askedNanos) {
    Long deletion = deletedNanos.get(message.id());
    assertThat(deletion == null || deletion > askedNanos)
        .as("%s was delivered after its deletion was acknowledged", message)
        .isTrue();
    delivered.add(message.text());
    handOuts
        .computeIfAbsent(message.id(), id -> new ConcurrentLinkedQueue<>())
        .add(new HandOut(message.dequeueCount(), askedNanos, System.nanoTime()));
  }

  int acknowledgedCount() {
    return acknowledged.size();
  }

  int deletedCount() {
    return deletedNanos.size();
  }

  /** Checks all records. Must be called when the queue is empty and nobody uses it any more. */
  void verify() {
    assertThat(delivered)
        .as("acknowledged messages that were never delivered")
        .containsAll(acknowledged);
    assertThat(tried).as("delivered messages that were never put").containsAll(delivered);
    int uncounted = handOuts.values().stream().mapToInt(QueueLedger::verify).sum();
    assertThat(uncounted)
        .as("hand-outs that nobody received")
        .isLessThanOrEqualTo(unanswered.get() * TAKEN_MAX);
  }

  /**
   * Checks the hand-outs of one message. Returns how many of them nobody received, judging by the
   * dequeue counts.
   */
  private static int verify(Queue<HandOut> all) {
    List<HandOut> sorted = new ArrayList<>(all);
    sorted.sort(Comparator.comparingInt(HandOut::count));
    for (int i = 1; i < sorted.size(); i++) {
      HandOut before = sorted.get(i - 1);
      HandOut after = sorted.get(i);
      assertThat(after.count()).as("dequeue counts of %s", sorted).isGreaterThan(before.count());
      assertThat(after.cameNanos() - before.askedNanos())
          .as("handed out twice within its period: %s", sorted)
          .isGreaterThan(TimeUnit.MILLISECONDS.toNanos(PERIOD_SECONDS * 1000L - 50));
    }
    return sorted.get(sorted.size() - 1).count() - sorted.size();
  }
}
