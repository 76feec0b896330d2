package io.lazuli.server.queue.service;

import io.lazuli.server.queue.encoding.QueueRows;
import io.lazuli.server.queue.model.QueueMessage;
import io.lazuli.server.queue.service.QueueScan.Found;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Space;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * Gets from queues that other servers use too. A get claims messages of the {@link QueueWindow}; if
 * there are too few, it waits for a search. Then a transaction hands out what is still there. A get
 * that hands out nothing has waited for a search that began after the get, so it has seen every
 * message that was put before. Thread-safe.
 */
final class SharedGets {
  /**
   * The number of rounds that find messages that are gone, after which a get returns what it has.
   */
  private static final int ROUNDS_MAX = 64;

  /** The number of searches after which a get does with fewer messages than it may have. */
  private static final int SEARCHES_MAX = 3;

  private final QueueSearch search;
  private final QueueHints hints;
  private final QueueBatches batches;

  SharedGets(QueueSearch search, QueueHints hints, QueueBatches batches) {
    this.search = search;
    this.hints = hints;
    this.batches = batches;
  }

  /**
   * A get.
   *
   * @param onExpired runs when a round has found messages that have expired
   */
  record Get(Space queue, int max, long invisibleTicks, Deadline deadline, Runnable onExpired) {}

  CompletableFuture<List<QueueMessage>> take(Get get) {
    List<QueueMessage> taken = new ArrayList<>();
    return round(get, hints.of(get.queue), taken, 1)
        .exceptionallyCompose(
            failure ->
                // What was handed out must be returned: it is invisible now.
                taken.isEmpty()
                    ? CompletableFuture.failedFuture(failure)
                    : CompletableFuture.completedFuture(true))
        .thenApply(done -> taken);
  }

  /** Hands out messages, and adds them to those that were taken in the rounds before. */
  private CompletableFuture<Boolean> round(
      Get get, QueueHints.Hint hint, List<QueueMessage> taken, int round) {
    QueueWindow window = hint.window();
    List<UUID> claimed = new ArrayList<>();
    int max = get.max - taken.size();
    return claim(get, hint, claimed, max, window.now(), 0)
        .thenCompose(
            done ->
                claimed.isEmpty()
                    ? CompletableFuture.completedFuture(true)
                    : transact(get, hint, claimed, taken, round))
        .whenComplete(
            (done, failure) -> {
              if (failure != null) {
                window.release(claimed, List.of());
              }
            });
  }

  private CompletableFuture<Boolean> claim(
      Get get, QueueHints.Hint hint, List<UUID> claimed, int max, long arrival, int searches) {
    QueueWindow window = hint.window();
    claimed.addAll(window.claim(max - claimed.size()));
    if (claimed.size() == max) {
      return CompletableFuture.completedFuture(true);
    }
    QueueWindow.Search running = window.running();
    QueueWindow.Search mine = running == null ? window.begin(max - claimed.size()) : null;
    if (mine != null) {
      return run(get, hint, mine)
          .thenCompose(done -> searched(get, hint, claimed, max, arrival, searches + 1, mine));
    }
    // Another get's search may end with rows for this one, or with a failure of its own.
    return running == null
        ? claim(get, hint, claimed, max, arrival, searches)
        : running
            .end()
            .thenCompose(done -> searched(get, hint, claimed, max, arrival, searches, running));
  }

  private CompletableFuture<Boolean> searched(
      Get get,
      QueueHints.Hint hint,
      List<UUID> claimed,
      int max,
      long arrival,
      int searches,
      QueueWindow.Search ended) {
    claimed.addAll(hint.window().claim(max - claimed.size()));
    boolean isEnough = claimed.size() == max || (!claimed.isEmpty() && searches >= SEARCHES_MAX);
    return isEnough || (ended.hasShownSince(arrival) && !ended.isFull())
        ? CompletableFuture.completedFuture(true)
        : claim(get, hint, claimed, max, arrival, searches);
  }

  private CompletableFuture<Boolean> run(
      Get get, QueueHints.Hint hint, QueueWindow.Search running) {
    CompletableFuture<List<Found>> found;
    try {
      found = search.visible(get.queue, running.rowsMax(), get.deadline);
    } catch (RuntimeException e) {
      found = CompletableFuture.failedFuture(e);
    }
    return found
        .whenComplete((rows, failure) -> hint.window().end(running, failure == null ? rows : null))
        .thenApply(rows -> true);
  }

  private CompletableFuture<Boolean> transact(
      Get get, QueueHints.Hint hint, List<UUID> claimed, List<QueueMessage> taken, int round) {
    List<UUID> ids = List.copyOf(claimed);
    List<Bytes> touch = new ArrayList<>(ids.size() + 1);
    touch.add(QueueRows.FENCE);
    ids.forEach(id -> touch.add(QueueRows.message(id)));
    ClaimBody body = new ClaimBody(ids, get.invisibleTicks, hint.marks(), hints.rules(hint));
    return batches
        .transact(get.queue, touch, get.deadline, body)
        .thenCompose(
            result -> {
              hint.learn(result.fence(), result.clock());
              hint.window().release(claimed, result.gone());
              taken.addAll(result.taken());
              int missed = claimed.size() - result.taken().size();
              if (missed == 0 || round == ROUNDS_MAX) {
                return CompletableFuture.completedFuture(true);
              }
              if (result.gone().size() < missed) {
                get.onExpired.run();
              }
              return round(get, hint, taken, round + 1);
            });
  }
}
