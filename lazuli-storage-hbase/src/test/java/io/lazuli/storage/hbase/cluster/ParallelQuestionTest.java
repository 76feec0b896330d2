package io.lazuli.storage.hbase.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Questions to servers of which some do not answer. */
class ParallelQuestionTest {
  private final Map<String, CompletableFuture<Integer>> calls = new ConcurrentHashMap<>();
  private final AtomicInteger asked = new AtomicInteger();

  @Test
  void aPausedServerDoesNotKeepTheAnswersOfTheOthers() throws InterruptedException {
    ParallelQuestion<String, Integer> question = question(Duration.ofMillis(20));
    calls.put("a", CompletableFuture.completedFuture(1));
    calls.put("b", new CompletableFuture<>());
    calls.put("c", CompletableFuture.failedFuture(new IllegalStateException("no")));
    calls.put("d", CompletableFuture.completedFuture(4));
    assertThat(question.ask(List.of("a", "b", "c", "d"))).isEqualTo(Map.of("a", 1, "d", 4));
  }

  @Test
  void aPausedServerIsNotAskedAgainBeforeItsCallEnds() throws InterruptedException {
    ParallelQuestion<String, Integer> question = question(Duration.ZERO);
    CompletableFuture<Integer> late = new CompletableFuture<>();
    calls.put("b", late);
    for (int i = 0; i < 5; i++) {
      assertThat(question.ask(List.of("b"))).isEmpty();
    }
    assertThat(asked.get()).isEqualTo(1);
    late.complete(2);
    assertThat(question.ask(List.of("b"))).isEqualTo(Map.of("b", 2));
    assertThat(asked.get()).isEqualTo(2);
  }

  /** The balancer and an operator look at the same moment. */
  @Test
  void whoJoinsACallWaitsForItToo() throws Exception {
    ParallelQuestion<String, Integer> question = question(Duration.ofSeconds(30));
    CompletableFuture<Integer> answer = new CompletableFuture<>();
    calls.put("a", answer);
    List<CompletableFuture<Map<String, Integer>>> both = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      CompletableFuture<Map<String, Integer>> result = new CompletableFuture<>();
      both.add(result);
      Thread asker =
          new Thread(
              () -> {
                try {
                  result.complete(question.ask(List.of("a")));
                } catch (InterruptedException e) {
                  result.completeExceptionally(e);
                }
              });
      asker.start();
      await().until(() -> asked.get() == 1 && asker.getState() == Thread.State.TIMED_WAITING);
    }
    answer.complete(1);
    for (CompletableFuture<Map<String, Integer>> result : both) {
      assertThat(result.get(30, TimeUnit.SECONDS)).isEqualTo(Map.of("a", 1));
    }
  }

  /** Both calls are under way before either is answered. */
  @Test
  void allServersAreAskedAtTheSameTime() throws InterruptedException {
    CompletableFuture<Integer> first = new CompletableFuture<>();
    ParallelQuestion<String, Integer> question =
        new ParallelQuestion<>(
            server -> {
              if (server.equals("b")) {
                first.complete(1);
                return CompletableFuture.completedFuture(2);
              }
              return first;
            },
            Duration.ofSeconds(30));
    assertThat(question.ask(List.of("a", "b"))).isEqualTo(Map.of("a", 1, "b", 2));
  }

  private ParallelQuestion<String, Integer> question(Duration patience) {
    return new ParallelQuestion<>(
        server -> {
          asked.incrementAndGet();
          return calls.getOrDefault(server, new CompletableFuture<>());
        },
        patience);
  }
}
