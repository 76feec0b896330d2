package io.lazuli.storage.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.history.Operation.Kind;
import io.lazuli.storage.history.Operation.Outcome;
import io.lazuli.storage.history.Operation.Seen;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The check finds each kind of violation, and none in a correct history. */
final class HistoryCheckTest {
  private static final SortedSet<String> ROWS = new TreeSet<>(List.of("b/0", "b/1"));
  private static final SortedSet<String> ALL = new TreeSet<>(List.of("b/0", "b/1", "c/0"));

  private final List<Operation> operations = new ArrayList<>();

  @Test
  void aCorrectHistoryPasses() {
    write("c", 0, 10, 1);
    write("c", 5, 30, 3);
    write("c", 12, 29, 2);
    read("c/0", 11, 20, 1);
    read("c/0", 11, 13, 2);
    read("c/0", 31, 32, 3);
    write("b", 0, 10, 1);
    scan("b", 5, 9, 0, 0);
    scan("b", 5, 9, 1, 1);
    scan("b", 11, 12, 1, 1);
    everything(11, 32, 1, 1, 3);
    assertThat(kinds(1, 3)).isEmpty();
  }

  @Test
  void anUnknownOutcomeMayBeEither() {
    write("c", 0, 10, 1);
    operations.add(new Operation(Kind.WRITE, "c", 11, 20, Outcome.UNKNOWN, List.of()));
    read("c/0", 21, 22, 1);
    assertThat(kinds(0, 1)).isEmpty();
    read("c/0", 23, 24, 2);
    assertThat(kinds(0, 2)).isEmpty();
  }

  @Test
  void anUnknownOutcomeMayTakeEffectLate() {
    operations.add(new Operation(Kind.WRITE, "c", 0, 10, Outcome.UNKNOWN, List.of()));
    read("c/0", 11, 12, 0);
    write("c", 13, 14, 1);
    write("c", 15, 16, 3);
    assertThat(kinds(0, 3)).isEmpty();
  }

  @Test
  void readsOfAFailedReaderAreNotJudged() {
    write("c", 0, 10, 1);
    operations.add(new Operation(Kind.READ, "c", 11, 12, Outcome.FAILED, List.of()));
    operations.add(new Operation(Kind.SCAN, "b", 11, 12, Outcome.UNKNOWN, List.of()));
    assertThat(kinds(0, 1)).isEmpty();
  }

  @Test
  void aWriteThatIsGoneAtTheEndIsLost() {
    write("c", 0, 10, 1);
    write("c", 11, 20, 2);
    assertThat(kinds(0, 1)).containsExactly(Violation.Kind.LOST_WRITE);
  }

  @Test
  void aBatchThatIsGoneAtTheEndIsLost() {
    write("b", 0, 10, 1);
    assertThat(kinds(0, 0)).containsExactly(Violation.Kind.LOST_WRITE);
  }

  @Test
  void aWriteThatARivalOverwroteUnseenIsLost() {
    write("c", 0, 10, 1);
    write("c", 0, 10, 1);
    assertThat(kinds(0, 2)).containsExactly(Violation.Kind.LOST_WRITE);
  }

  @Test
  void anUnknownOutcomeDoesNotMakeUpForALostWrite() {
    write("c", 0, 10, 1);
    operations.add(new Operation(Kind.WRITE, "c", 11, 20, Outcome.UNKNOWN, List.of()));
    write("c", 11, 20, 2);
    assertThat(kinds(0, 1)).containsExactly(Violation.Kind.LOST_WRITE);
  }

  @Test
  void aWriteThatCountsTwiceIsFound() {
    write("c", 0, 10, 1);
    assertThat(kinds(0, 2)).containsExactly(Violation.Kind.COUNTED_TWICE);
  }

  @Test
  void anUnknownOutcomeCountsOnce() {
    operations.add(new Operation(Kind.WRITE, "c", 0, 10, Outcome.UNKNOWN, List.of()));
    assertThat(kinds(0, 2)).containsExactly(Violation.Kind.COUNTED_TWICE);
  }

  @Test
  void aFailedWriteThatWasCarriedOutIsFound() {
    operations.add(new Operation(Kind.WRITE, "c", 0, 10, Outcome.FAILED, List.of()));
    assertThat(kinds(0, 1)).containsExactly(Violation.Kind.COUNTED_TWICE);
  }

  @Test
  void aNumberThatNobodyHadWrittenYetIsFound() {
    read("c/0", 0, 5, 1);
    write("c", 6, 10, 1);
    assertThat(kinds(0, 1)).contains(Violation.Kind.COUNTED_TWICE);
  }

  @Test
  void aReadOfWhatWasOverwrittenIsStale() {
    write("c", 0, 10, 1);
    read("c/0", 11, 12, 0);
    assertThat(kinds(0, 1)).containsExactly(Violation.Kind.STALE_READ);
  }

  @Test
  void aReadOlderThanAnEarlierReadIsStale() {
    write("c", 0, 100, 1);
    read("c/0", 5, 10, 1);
    read("c/0", 11, 12, 0);
    assertThat(kinds(0, 1)).containsExactly(Violation.Kind.STALE_READ);
  }

  @Test
  void aScanOfWhatWasOverwrittenIsStale() {
    write("b", 0, 10, 1);
    scan("b", 11, 12, 0, 0);
    assertThat(kinds(1, 0)).contains(Violation.Kind.STALE_READ);
  }

  @Test
  void aScanOfEverythingIsStaleIfOneRowIs() {
    write("c", 0, 10, 1);
    everything(11, 12, 0, 0, 0);
    assertThat(kinds(0, 1)).containsExactly(Violation.Kind.STALE_READ);
  }

  @Test
  void aPartOfABatchIsFound() {
    write("b", 0, 10, 1);
    scan("b", 5, 9, 0, 1);
    assertThat(kinds(1, 0)).containsExactly(Violation.Kind.TORN_BATCH);
  }

  @Test
  void aMissingRowIsFound() {
    operations.add(
        new Operation(Kind.SCAN, "b", 0, 1, Outcome.ACKNOWLEDGED, List.of(new Seen("b/1", 0))));
    assertThat(kinds(0, 0)).containsExactly(Violation.Kind.MISSING_ROW);
  }

  @Test
  void aRowThatIsShownTwiceIsFound() {
    List<Seen> twice = List.of(new Seen("b/0", 0), new Seen("b/1", 0), new Seen("b/1", 0));
    operations.add(new Operation(Kind.SCAN, "b", 0, 1, Outcome.ACKNOWLEDGED, twice));
    assertThat(kinds(0, 0)).containsExactly(Violation.Kind.DISORDER);
  }

  private void write(String target, long start, long end, long number) {
    add(Kind.WRITE, target, start, end, List.of(new Seen(target + "/0", number)));
  }

  private void read(String row, long start, long end, long number) {
    Seen seen = new Seen(row, number);
    add(Kind.READ, seen.target(), start, end, List.of(seen));
  }

  private void scan(String target, long start, long end, long first, long second) {
    List<Seen> seen = List.of(new Seen(target + "/0", first), new Seen(target + "/1", second));
    add(Kind.SCAN, target, start, end, seen);
  }

  private void everything(long start, long end, long first, long second, long third) {
    List<Seen> seen =
        List.of(new Seen("b/0", first), new Seen("b/1", second), new Seen("c/0", third));
    add(Kind.SCAN, History.EVERYTHING, start, end, seen);
  }

  private void add(Kind kind, String target, long start, long end, List<Seen> seen) {
    operations.add(new Operation(kind, target, start, end, Outcome.ACKNOWLEDGED, seen));
  }

  private List<Violation.Kind> kinds(long endOfBatch, long endOfCounter) {
    History history =
        new History(
            operations,
            Map.of("b", ROWS, History.EVERYTHING, ALL),
            Map.of("b", endOfBatch, "c", endOfCounter));
    return HistoryCheck.violations(history).stream().map(Violation::kind).toList();
  }
}
