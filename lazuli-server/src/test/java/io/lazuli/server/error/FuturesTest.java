package io.lazuli.server.error;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class FuturesTest {
  @Test
  void stepsThatAreCompleteDoNotDeepenTheStack() {
    int[] steps = new int[1];
    CompletableFuture<?> end =
        Futures.repeat(() -> CompletableFuture.completedFuture(++steps[0] < 1_000_000));
    assertThat(end).isCompleted();
    assertThat(steps[0]).isEqualTo(1_000_000);
  }

  @Test
  void aStepBeginsWhenTheOneBeforeIsComplete() {
    List<CompletableFuture<Boolean>> steps = new ArrayList<>();
    CompletableFuture<?> end =
        Futures.repeat(
            () -> {
              steps.add(new CompletableFuture<>());
              return steps.get(steps.size() - 1);
            });
    assertThat(steps).hasSize(1);
    steps.get(0).complete(true);
    assertThat(steps).hasSize(2);
    assertThat(end).isNotDone();
    steps.get(1).complete(false);
    assertThat(end).isCompleted();
  }

  @Test
  void theFailureOfAStepEndsTheLoop() {
    IllegalStateException failure = new IllegalStateException("no");
    CompletableFuture<Boolean> later = new CompletableFuture<>();
    List<CompletableFuture<?>> loops =
        List.of(
            Futures.repeat(() -> CompletableFuture.failedFuture(failure)),
            Futures.repeat(
                () -> {
                  throw failure;
                }),
            Futures.repeat(() -> later.thenApply(more -> more)));
    later.completeExceptionally(failure);
    for (CompletableFuture<?> loop : loops) {
      assertThat(loop.handle((end, thrown) -> thrown).join()).isSameAs(failure);
    }
  }

  @Test
  void onlyALateResultIsHandedOver() {
    List<Runnable> handedOver = new ArrayList<>();
    CompletableFuture<Integer> late = new CompletableFuture<>();
    CompletableFuture<Integer> now =
        Futures.thenApply(CompletableFuture.completedFuture(1), handedOver::add, one -> one + 1);
    CompletableFuture<Integer> then = Futures.thenApply(late, handedOver::add, one -> one + 1);
    assertThat(now).isCompletedWithValue(2);
    late.complete(1);
    assertThat(then).isNotDone();
    handedOver.get(0).run();
    assertThat(then).isCompletedWithValue(2);
    assertThat(handedOver).hasSize(1);
  }

  @Test
  void waitingThrowsTheFailureItself() {
    ServiceException failure = CommonErrors.SERVER_BUSY.exception();
    CompletableFuture<Object> wrapped =
        CompletableFuture.failedFuture(new CompletionException(failure));
    assertThatThrownBy(() -> Futures.await(wrapped)).isSameAs(failure);
    assertThat(Futures.await(CompletableFuture.completedFuture("result"))).isEqualTo("result");
  }
}
