package io.lazuli.storage.hbase.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import org.junit.jupiter.api.Test;

/** When a transaction may take rows for absent. */
class GuessesTest {
  private static final long SEVEN = Space.number(SpaceKind.TABLE, 7);
  private static final long EIGHT = Space.number(SpaceKind.TABLE, 8);

  private final Guesses guesses = new Guesses();

  @Test
  void someTransactionsReadAfterAWrongGuess() {
    assertThat(guesses.mayGuess(SEVEN)).isTrue();
    guesses.wrong(SEVEN);
    for (int i = 0; i < Guesses.READS_AFTER_WRONG; i++) {
      assertThat(guesses.mayGuess(SEVEN)).isFalse();
    }
    assertThat(guesses.mayGuess(SEVEN)).isTrue();
  }

  @Test
  void otherSpacesGuessAsBefore() {
    guesses.wrong(SEVEN);
    assertThat(guesses.mayGuess(EIGHT)).isTrue();
  }
}
