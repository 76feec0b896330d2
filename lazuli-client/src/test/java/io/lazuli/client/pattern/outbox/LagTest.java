package io.lazuli.client.pattern.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.client.TestClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class LagTest {
  private final TestClock clock = new TestClock(Instant.parse("2026-07-31T18:00:00Z"));
  private final Lag lag = new Lag(clock);

  private void received(boolean more, Integer... secondsOld) {
    lag.received(List.of(secondsOld).stream().map(Duration::ofSeconds).toList(), more);
  }

  @Test
  void itIsTheAgeOfTheOldestMessage() {
    received(false, 3, 7, 5);
    assertThat(lag.now()).hasSeconds(7);
  }

  @Test
  void anEmptyQueueHasNone() {
    received(false, 3);
    received(false);
    clock.pass(Duration.ofMinutes(1));
    assertThat(lag.now()).isZero();
  }

  @Test
  void itGrowsWhileMoreMessagesWait() {
    received(true, 3);
    clock.pass(Duration.ofSeconds(10));
    assertThat(lag.now()).hasSeconds(13);
  }

  @Test
  void itGrowsWhileTheQueueCannotBeRead() {
    received(false, 3);
    clock.pass(Duration.ofSeconds(10));
    lag.receiveFailed();
    clock.pass(Duration.ofSeconds(10));
    lag.receiveFailed();
    clock.pass(Duration.ofSeconds(10));
    assertThat(lag.now()).hasSeconds(23);
  }
}
