package io.lazuli.storage.hbase.cluster;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Asks several servers the same question at the same time, and waits for all of them together for a
 * bounded time. A server that does not answer in time is not asked again before its call has ended,
 * so there is at most one call for each server, and nobody waits for that call again. Thread-safe.
 * Blocks.
 */
final class ParallelQuestion<S, A> {
  private final Function<S, CompletableFuture<A>> question;
  private final Duration patience;
  private final Map<S, CompletableFuture<A>> underWay = new ConcurrentHashMap<>();

  /**
   * @param question begins a call, which ends by itself at some time
   */
  ParallelQuestion(Function<S, CompletableFuture<A>> question, Duration patience) {
    this.question = question;
    this.patience = patience;
  }

  /** Returns the answers of the servers that have answered in time. */
  Map<S, A> ask(Collection<S> servers) throws InterruptedException {
    Map<S, CompletableFuture<A>> asked = new HashMap<>();
    Set<S> late = new HashSet<>(underWay.keySet());
    for (S server : servers) {
      CompletableFuture<A> call = underWay.computeIfAbsent(server, question);
      CompletableFuture<A> unused =
          call.whenComplete((answer, failure) -> underWay.remove(server, call));
      asked.put(server, call);
    }
    long end = System.nanoTime() + patience.toNanos();
    Map<S, A> answers = new HashMap<>();
    for (S server : List.copyOf(asked.keySet())) {
      CompletableFuture<A> call = asked.get(server);
      if (call != null) {
        long patienceLeft = late.contains(server) ? 0 : end - System.nanoTime();
        await(call, patienceLeft, answer -> answers.put(server, answer));
      }
    }
    return answers;
  }

  private static <A> void await(CompletableFuture<A> call, long nanos, Consumer<A> answered)
      throws InterruptedException {
    try {
      answered.accept(call.get(Math.max(0, nanos), TimeUnit.NANOSECONDS));
    } catch (ExecutionException | TimeoutException e) {
      // The server is unknown to this round. A later round asks it again.
      return;
    }
  }
}
