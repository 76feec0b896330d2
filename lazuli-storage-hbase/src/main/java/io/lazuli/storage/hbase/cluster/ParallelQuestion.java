package io.lazuli.storage.hbase.cluster;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
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
 * so there is at most one call for each server, and nobody waits longer for a call than the time
 * that it was given at its beginning. Several threads may ask at the same time. Blocks.
 */
final class ParallelQuestion<S, A> {
  private final Function<S, CompletableFuture<A>> question;
  private final Duration patience;
  private final Map<S, Call<A>> underWay = new ConcurrentHashMap<>();

  /** A call, and until when an asker waits for it, whoever began it. */
  private record Call<A>(CompletableFuture<A> answer, long untilNanos) {}

  /**
   * @param question begins a call, which ends by itself at some time
   */
  ParallelQuestion(Function<S, CompletableFuture<A>> question, Duration patience) {
    this.question = question;
    this.patience = patience;
  }

  /** Returns the answers of the servers that have answered in time. */
  Map<S, A> ask(Collection<S> servers) throws InterruptedException {
    Map<S, Call<A>> asked = new HashMap<>();
    for (S server : servers) {
      Call<A> call = underWay.computeIfAbsent(server, this::begin);
      CompletableFuture<A> unused =
          call.answer.whenComplete((answer, failure) -> underWay.remove(server, call));
      asked.put(server, call);
    }
    Map<S, A> answers = new HashMap<>();
    for (Map.Entry<S, Call<A>> one : asked.entrySet()) {
      await(one.getValue(), answer -> answers.put(one.getKey(), answer));
    }
    return answers;
  }

  private Call<A> begin(S server) {
    return new Call<>(question.apply(server), System.nanoTime() + patience.toNanos());
  }

  private static <A> void await(Call<A> call, Consumer<A> answered) throws InterruptedException {
    long nanos = call.untilNanos - System.nanoTime();
    try {
      answered.accept(call.answer.get(Math.max(0, nanos), TimeUnit.NANOSECONDS));
    } catch (ExecutionException | TimeoutException e) {
      // The server is unknown to this round. A later round asks it again.
      return;
    }
  }
}
