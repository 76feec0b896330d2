package io.lazuli.client.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;
import reactor.core.publisher.Sinks;

class ContainedWorkTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Error error = new NoClassDefFoundError("com/example/Gone");

  private Mono<Object> fail(Object ignored) {
    throw error;
  }

  private void isThrownBy(Mono<?> work) {
    assertThatThrownBy(() -> work.block(PATIENCE)).isSameAs(error);
  }

  @Test
  void theResultIsPassedOn() {
    assertThat(ContainedWork.of(() -> Mono.just("a")).block()).isEqualTo("a");
    assertThat(ContainedWork.of(Mono::empty).blockOptional()).isEmpty();
  }

  @Test
  void anErrorThrownWhileTheWorkIsCreatedIsItsFailure() {
    isThrownBy(ContainedWork.of(() -> fail("")));
  }

  @Test
  void anErrorThrownDuringTheSubscriptionIsItsFailure() {
    isThrownBy(ContainedWork.of(() -> Mono.just(1).map(this::fail)));
  }

  @Test
  void anErrorAfterABoundaryIsItsFailure() {
    isThrownBy(
        ContainedWork.of(
            () ->
                ContainedWork.boundary(Mono.delay(Duration.ofMillis(1)))
                    .flatMap(this::fail)
                    .then()));
    isThrownBy(
        ContainedWork.of(
            () ->
                ContainedWork.boundary(Mono.delay(Duration.ofMillis(1)).then())
                    .then(Mono.defer(() -> fail("")))));
    isThrownBy(
        ContainedWork.of(
            () ->
                ContainedWork.boundary(Flux.interval(Duration.ofMillis(1)))
                    .map(this::fail)
                    .then()));
  }

  @Test
  void aFailureThatIsHandledAfterABoundaryCanThrowToo() {
    isThrownBy(
        ContainedWork.of(
            () ->
                ContainedWork.boundary(
                        Mono.delay(Duration.ofMillis(1))
                            .then(Mono.error(new IllegalStateException("first"))))
                    .onErrorResume(this::fail)));
  }

  @Test
  void anErrorEndsTheSource() {
    List<SignalType> ends = new ArrayList<>();
    Sinks.Many<Integer> source = Sinks.many().unicast().onBackpressureBuffer();
    List<Throwable> failures = new ArrayList<>();
    ContainedWork.of(
            () ->
                ContainedWork.boundary(source.asFlux().doFinally(ends::add)).map(this::fail).then())
        .subscribe(none -> {}, failures::add);
    source.tryEmitNext(1).orThrow();
    assertThat(failures).containsExactly(error);
    assertThat(ends).containsExactly(SignalType.CANCEL);
  }

  @Test
  void withoutContainedWorkABoundaryChangesNothing() {
    assertThat(ContainedWork.boundary(Flux.range(0, 3)).collectList().block())
        .containsExactly(0, 1, 2);
    assertThatThrownBy(() -> ContainedWork.boundary(Mono.just(1)).map(this::fail).block())
        .isSameAs(error);
  }

  @Test
  void workThatCompletesIsNotCancelled() {
    List<SignalType> ends = new ArrayList<>();
    ContainedWork.of(() -> Mono.just(1).doFinally(ends::add)).block();
    assertThat(ends).containsExactly(SignalType.ON_COMPLETE);
  }

  @Test
  void aCallerThatCancelsEndsTheWork() {
    List<SignalType> ends = new ArrayList<>();
    ContainedWork.of(() -> Mono.never().doFinally(ends::add)).subscribe().dispose();
    assertThat(ends).containsExactly(SignalType.CANCEL);
  }
}
