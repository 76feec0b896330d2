package io.lazuli.client.waiting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

class WaitingTest {
  private static final Duration SHORT = Duration.ofMillis(50);

  @Test
  void aDroppedErrorCannotHangTheCaller() {
    String key = "WaitingTest";
    Schedulers.onHandleError(key, (thread, dropped) -> {});
    try {
      Mono<String> dropped =
          Mono.just("answer")
              .publishOn(Schedulers.parallel())
              .map(
                  answer -> {
                    throw new NoClassDefFoundError("XmlMapper");
                  });
      assertThatThrownBy(() -> Waiting.optional(dropped, SHORT))
          .isInstanceOf(NoAnswer.class)
          .hasMessageContaining("PT0.05S")
          .hasCauseInstanceOf(TimeoutException.class);
    } finally {
      Schedulers.resetOnHandleError(key);
      Hooks.resetOnErrorDropped();
    }
  }

  @Test
  void aLateAnswerIsCancelled() {
    AtomicBoolean cancelled = new AtomicBoolean();
    Mono<String> never = Mono.<String>never().doOnCancel(() -> cancelled.set(true));
    assertThatThrownBy(() -> Waiting.optional(never, SHORT)).isInstanceOf(NoAnswer.class);
    assertThat(cancelled).isTrue();
  }

  @Test
  void anInterruptedThreadStopsWaitingAndStaysInterrupted() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> Waiting.result(Mono.never()))
        .isInstanceOf(NoAnswer.class)
        .hasCauseInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void aStreamStopsWaitingToo() {
    Flux<Integer> hanging = Flux.concat(Flux.range(0, 3), Flux.never());
    List<Integer> seen = new ArrayList<>();
    try (Stream<Integer> stream = Waiting.stream(hanging, 1, SHORT)) {
      assertThatThrownBy(() -> stream.forEach(seen::add)).isInstanceOf(NoAnswer.class);
    }
    assertThat(seen).containsExactly(0, 1, 2);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> Waiting.stream(Flux.never()).findFirst())
        .isInstanceOf(NoAnswer.class)
        .hasCauseInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void aStreamHasAllElementsAndThenTheFailure() {
    assertThat(Waiting.stream(Flux.range(0, 1_000)).toList()).hasSize(1_000);
    assertThat(Waiting.streamOnDemand(Flux.range(0, 10)).toList()).hasSize(10);
    Flux<Integer> failing = Flux.concat(Flux.just(1), Flux.error(new IllegalStateException("no")));
    assertThatThrownBy(() -> Waiting.stream(failing).toList())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no");
  }

  @Test
  void aStreamOnDemandRequestsOneElementAndIsCancelledWhenItIsClosed() {
    AtomicBoolean cancelled = new AtomicBoolean();
    List<Long> requests = new ArrayList<>();
    Flux<Integer> source =
        Flux.range(0, 10).doOnRequest(requests::add).doOnCancel(() -> cancelled.set(true));
    try (Stream<Integer> stream = Waiting.streamOnDemand(source)) {
      assertThat(stream.limit(2).toList()).containsExactly(0, 1);
    }
    assertThat(requests).containsOnly(1L);
    assertThat(cancelled).isTrue();
  }

  @Test
  void theFailureOfACallIsThrownWithThePlaceWhereTheCallerWaited() {
    IllegalArgumentException failure = new IllegalArgumentException("wrong");
    assertThatThrownBy(() -> Waiting.result(Mono.error(failure)))
        .isSameAs(failure)
        .satisfies(thrown -> assertThat(thrown.getSuppressed()).hasSize(1));
    assertThatThrownBy(() -> Waiting.done(Mono.error(new IOException("gone"))))
        .hasRootCauseInstanceOf(IOException.class);
  }

  @Test
  void aReactorThreadMustNotWait() {
    Mono<String> wrong =
        Mono.fromCallable(() -> Waiting.result(Mono.just("answer")))
            .subscribeOn(Schedulers.parallel());
    assertThatThrownBy(() -> Waiting.result(wrong))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("parallel");
  }
}
