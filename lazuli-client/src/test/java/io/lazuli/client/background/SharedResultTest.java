package io.lazuli.client.background;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class SharedResultTest {
  private final SharedResult<String> result = new SharedResult<>();
  private final List<String> answers = new ArrayList<>();
  private final List<Throwable> failures = new ArrayList<>();

  private void ask() {
    result.value().subscribe(answers::add, failures::add);
  }

  @Test
  void callersBeforeAndAfterGetTheFirstResult() {
    ask();
    result.succeed("a");
    result.succeed("b");
    result.fail(new IllegalStateException("late"));
    ask();
    assertThat(answers).containsExactly("a", "a");
    assertThat(failures).isEmpty();
  }

  @Test
  void callersGetTheFailure() {
    ask();
    result.fail(new IllegalStateException("down"));
    ask();
    assertThat(failures).hasSize(2);
  }

  @Test
  void theErrorOfOneCallerDoesNotReachTheOthers() {
    result
        .value()
        .map(
            value -> {
              throw new StackOverflowError("of a caller");
            })
        .subscribe();
    ask();
    result.succeed("a");
    assertThat(answers).containsExactly("a");
  }

  @Test
  void aCallerThatLeavesGetsNothing() {
    result.value().subscribe(answers::add).dispose();
    result.succeed("a");
    assertThat(answers).isEmpty();
  }

  @Test
  void theWorkIsDoneOnceAndOnDemand() {
    AtomicInteger done = new AtomicInteger();
    Mono<Integer> shared = SharedResult.of(Mono.fromSupplier(done::incrementAndGet));
    assertThat(done).hasValue(0);
    assertThat(shared.block()).isEqualTo(1);
    assertThat(shared.block()).isEqualTo(1);
    assertThat(SharedResult.of(Mono.empty()).blockOptional()).isEmpty();
  }
}
