package io.lazuli.storage.hbase.login;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** When a ticket is replaced, and how often this is tried. */
class TicketLifeTest {
  private static final Instant START = Instant.parse("2026-11-19T20:00:00Z");

  @Test
  void aTicketIsReplacedAfterHalfOfItsLife() {
    TicketLife life = life(Duration.ofHours(10));
    assertThat(life.due()).isEqualTo(START.plus(Duration.ofHours(5)));
    // A clock may be set in between.
    assertThat(life.pause(START)).isEqualTo(Duration.ofSeconds(30));
    assertThat(life.pause(life.due().minusSeconds(7))).isEqualTo(Duration.ofSeconds(7));
  }

  @Test
  void anAttemptThatFailsIsRepeatedUntilTheEndAndAfterIt() {
    TicketLife life = life(Duration.ofMinutes(10));
    assertThat(life.pause(life.due())).isEqualTo(Duration.ofSeconds(15));
    assertThat(life.pause(life.end().minusMillis(1))).isEqualTo(Duration.ofSeconds(15));
    assertThat(life.pause(life.end())).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void theCentreIsNotAskedMoreThanOnceInASecond() {
    TicketLife life = life(Duration.ofSeconds(4));
    assertThat(life.pause(life.due())).isEqualTo(Duration.ofSeconds(1));
    assertThat(life.pause(life.due().minusMillis(1))).isEqualTo(Duration.ofSeconds(1));
  }

  private static TicketLife life(Duration length) {
    return new TicketLife(START, START.plus(length));
  }
}
