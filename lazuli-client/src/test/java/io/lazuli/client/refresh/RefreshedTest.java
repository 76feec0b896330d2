package io.lazuli.client.refresh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.client.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

class RefreshedTest {
  private final TestClock clock = new TestClock(Instant.parse("2026-07-31T18:00:00Z"));

  /** One entry for each fetch; the test completes it. */
  private final List<Sinks.One<String>> fetches = new ArrayList<>();

  private final List<String> answers = new ArrayList<>();
  private final List<Throwable> failures = new ArrayList<>();

  /** Is renewed after 10 seconds and expires after 20. */
  private final Refreshed<String> refreshed =
      new Refreshed<>(
          Mono.defer(
              () -> {
                Sinks.One<String> fetch = Sinks.one();
                fetches.add(fetch);
                return fetch.asMono();
              }),
          value -> new Freshness(clock.instant().plusSeconds(10), clock.instant().plusSeconds(20)),
          clock);

  private void ask() {
    refreshed.value().subscribe(answers::add, failures::add);
  }

  private void answer(int fetch, String value) {
    fetches.get(fetch).tryEmitValue(value).orThrow();
  }

  @Test
  void allCallersShareOneFetch() {
    ask();
    ask();
    assertThat(fetches).hasSize(1);
    assertThat(answers).isEmpty();
    answer(0, "a");
    ask();
    assertThat(answers).containsExactly("a", "a", "a");
    assertThat(fetches).hasSize(1);
  }

  @Test
  void nothingIsFetchedWithoutCallers() {
    refreshed.value();
    assertThat(fetches).isEmpty();
  }

  @Test
  void anOldValueIsUsedWhileTheNextIsFetched() {
    ask();
    answer(0, "a");
    clock.pass(Duration.ofSeconds(10));
    ask();
    ask();
    assertThat(fetches).hasSize(2);
    answer(1, "b");
    ask();
    assertThat(answers).containsExactly("a", "a", "a", "b");
  }

  @Test
  void aValueThatHasEndedIsNotUsed() {
    ask();
    answer(0, "a");
    clock.pass(Duration.ofSeconds(20));
    ask();
    assertThat(answers).containsExactly("a");
    answer(1, "b");
    assertThat(answers).containsExactly("a", "b");
  }

  @Test
  void waitingCallersGetTheFailureAndTheNextCallFetchesAgain() {
    ask();
    ask();
    fetches.get(0).tryEmitError(new IllegalStateException("down")).orThrow();
    assertThat(failures).hasSize(2);
    ask();
    answer(1, "b");
    assertThat(answers).containsExactly("b");
  }

  @Test
  void aFailedRenewalIsRetriedLater() {
    ask();
    answer(0, "a");
    clock.pass(Duration.ofSeconds(10));
    ask();
    fetches.get(1).tryEmitError(new IllegalStateException("down")).orThrow();
    ask();
    assertThat(fetches).hasSize(2);
    clock.pass(Duration.ofSeconds(1));
    ask();
    assertThat(fetches).hasSize(3);
    assertThat(answers).containsExactly("a", "a", "a", "a");
    assertThat(failures).isEmpty();
  }

  @Test
  void aForgottenValueIsFetchedAgain() {
    ask();
    answer(0, "a");
    refreshed.forget();
    ask();
    answer(1, "b");
    assertThat(answers).containsExactly("a", "b");
  }

  @Test
  void aSourceWithoutAValueIsAFailure() {
    Refreshed<String> none =
        new Refreshed<>(Mono.empty(), value -> new Freshness(Instant.MAX, Instant.MAX), clock);
    assertThatThrownBy(() -> none.value().block()).hasMessageContaining("nothing was fetched");
  }

  @Test
  void anErrorIsAFailureAndTheNextCallFetchesAgain() {
    AtomicInteger fetched = new AtomicInteger();
    Refreshed<String> broken =
        new Refreshed<>(
            Mono.fromSupplier(
                () -> {
                  if (fetched.incrementAndGet() == 1) {
                    throw new NoClassDefFoundError("com/example/Gone");
                  }
                  return "b";
                }),
            value -> new Freshness(Instant.MAX, Instant.MAX),
            clock);
    assertThatThrownBy(() -> broken.value().block(Duration.ofSeconds(20)))
        .isInstanceOf(NoClassDefFoundError.class);
    assertThat(broken.value().block(Duration.ofSeconds(20))).isEqualTo("b");
  }

  @Test
  void theErrorOfOneCallerDoesNotReachTheOthers() {
    refreshed
        .value()
        .map(
            value -> {
              throw new StackOverflowError("of a caller");
            })
        .subscribe();
    ask();
    answer(0, "a");
    assertThat(answers).containsExactly("a");
  }
}
