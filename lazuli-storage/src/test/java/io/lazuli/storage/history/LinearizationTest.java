package io.lazuli.storage.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.fuzz.Fuzz;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The check finds an order exactly if there is one, by the example of one or two registers. */
final class LinearizationTest {
  private final List<Call> calls = new ArrayList<>();

  /** Writes one cell or both, or expects them to be as given; a negative value is not touched. */
  private record Register(boolean write, long first, long second) implements Step {
    @Override
    public long[] apply(long[] state) {
      if (write) {
        return new long[] {first < 0 ? state[0] : first, second < 0 ? state[1] : second};
      }
      boolean explained = (first < 0 || first == state[0]) && (second < 0 || second == state[1]);
      return explained ? state : null;
    }

    @Override
    public boolean changes() {
      return write;
    }

    @Override
    public boolean touches(int cell) {
      return (cell == 0 ? first : second) >= 0;
    }

    @Override
    public long number() {
      return write ? Math.max(first, second) : 0;
    }
  }

  @Test
  void callsInARowSeeEachOther() {
    write(0, 10, 1);
    read(11, 12, 1);
    write(13, 14, 2);
    read(15, 16, 2);
    assertThat(isCorrect()).isTrue();
    read(17, 18, 1);
    assertThat(isCorrect()).isFalse();
  }

  @Test
  void callsAtTheSameTimeMayHaveAnyOrder() {
    write(0, 10, 1);
    write(0, 10, 2);
    read(1, 5, 0);
    read(1, 5, 2);
    read(11, 12, 1);
    read(13, 14, 1);
    assertThat(isCorrect()).isTrue();
    read(15, 16, 2);
    assertThat(isCorrect()).isFalse();
  }

  @Test
  void aCallWithoutAnAnswerMayTakeEffectLateOrNever() {
    write(0, Call.NEVER, 1);
    read(5, 6, 0);
    assertThat(isCorrect()).isTrue();
    read(50, 60, 1);
    assertThat(isCorrect()).isTrue();
    read(70, 80, 0);
    assertThat(isCorrect()).isFalse();
  }

  @Test
  void bothCellsOfAWriteChangeTogether() {
    calls.add(new Call(0, 10, 0, new Register(true, 1, 1)));
    calls.add(new Call(5, 6, 1, new Register(false, 1, 1)));
    assertThat(isCorrect()).isTrue();
    calls.add(new Call(7, 8, 1, new Register(false, 1, 0)));
    assertThat(isCorrect()).isFalse();
  }

  @Test
  void theContradictionNamesTheCallAndTheStates() {
    write(0, 10, 1);
    write(12, Call.NEVER, 3);
    read(11, 14, 2);
    Linearization.Contradiction found = new Linearization(new long[2]).add(calls);
    assertThat(found.call()).isEqualTo(calls.get(2));
    assertThat(found.states()).extracting(state -> state[0]).containsExactlyInAnyOrder(1L, 3L);
    assertThat(found.underWay()).containsExactly(calls.get(1));
  }

  @Test
  void theOrderIsFoundInParts() {
    Linearization order = new Linearization(new long[2]);
    write(0, Call.NEVER, 1);
    read(1, 2, 0);
    assertThat(order.add(calls)).isNull();
    calls.clear();
    read(3, 4, 1);
    assertThat(order.add(calls)).isNull();
    assertThat(order.states()).singleElement().isEqualTo(new long[] {1, 0});
    calls.clear();
    read(5, 6, 0);
    assertThat(order.add(calls)).isNotNull();
  }

  @Test
  void itAgreesWithTheTrialOfAllOrders() {
    Fuzz.run(
        20_000,
        LinearizationTest::randomCalls,
        history -> {
          boolean found = new Linearization(new long[2]).add(history) == null;
          assertThat(found).as(history.toString()).isEqualTo(hasOrder(history, new long[2]));
        });
  }

  private static List<Call> randomCalls(Random random) {
    List<Call> history = new ArrayList<>();
    int count = 1 + random.nextInt(7);
    for (int i = 0; i < count; i++) {
      long start = random.nextInt(20);
      boolean write = random.nextBoolean();
      boolean lost = write && random.nextInt(5) == 0;
      long end = lost ? Call.NEVER : start + random.nextInt(8);
      Register step = new Register(write, random.nextInt(4) - 1, random.nextInt(4) - 1);
      history.add(new Call(start, end, i, step));
    }
    return history;
  }

  /** Tries every order. */
  private static boolean hasOrder(List<Call> left, long[] state) {
    if (left.stream().allMatch(Call::isOpen)) {
      return true;
    }
    for (Call next : left) {
      boolean first =
          left.stream().allMatch(other -> other.equals(next) || other.end() >= next.start());
      long[] after = first ? next.step().apply(state) : null;
      if (after != null) {
        List<Call> rest = new ArrayList<>(left);
        rest.remove(next);
        if (hasOrder(rest, after)) {
          return true;
        }
      }
    }
    return false;
  }

  private void write(long start, long end, long value) {
    calls.add(new Call(start, end, 0, new Register(true, value, -1)));
  }

  private void read(long start, long end, long value) {
    calls.add(new Call(start, end, 1, new Register(false, value, -1)));
  }

  private boolean isCorrect() {
    return new Linearization(new long[2]).add(calls) == null;
  }
}
