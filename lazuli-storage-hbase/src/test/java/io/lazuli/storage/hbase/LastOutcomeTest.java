package io.lazuli.storage.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.StorageException;
import org.junit.jupiter.api.Test;

class LastOutcomeTest {
  private final LastOutcome outcome = new LastOutcome();

  @Test
  void whatFailedIsToldUntilItIsDone() {
    assertThat(outcome.fault()).isEmpty();
    StorageException late = new StorageException(StorageException.Kind.TIMEOUT, "late");
    assertThatThrownBy(() -> outcome.of(failing(late))).isSameAs(late);
    assertThat(outcome.fault()).isEqualTo("late");
    outcome.of(() -> {});
    assertThat(outcome.fault()).isEmpty();
  }

  @Test
  void whatIsBrokenIsToldToo() {
    assertThatThrownBy(() -> outcome.of(failing(new IllegalStateException("broken"))))
        .hasMessage("broken");
    assertThat(outcome.fault()).isEqualTo("it failed; the log says why");
  }

  private static Runnable failing(RuntimeException failure) {
    return () -> {
      throw failure;
    };
  }
}
