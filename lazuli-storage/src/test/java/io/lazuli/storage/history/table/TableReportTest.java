package io.lazuli.storage.history.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.history.Call;
import io.lazuli.storage.history.Explanation;
import io.lazuli.storage.history.Linearization;
import io.lazuli.storage.history.Linearization.Contradiction;
import io.lazuli.storage.history.Violation;
import io.lazuli.storage.history.table.TableClient.Row;
import io.lazuli.storage.history.table.TableClient.Written;
import io.lazuli.storage.history.table.TableWrite.Verb;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Answers of a table service are judged by its rules, and a report shows few operations. */
final class TableReportTest {
  private static final int MILLI = 1_000_000;

  private final List<Call> calls = new ArrayList<>();

  @Test
  void everyRefusalHasItsState() {
    write(0, 1, 404, replace(1, TableWrite.ANY));
    write(2, 3, 204, insert(2));
    write(4, 5, 409, insert(3));
    write(6, 7, 412, replace(4, 3));
    write(8, 9, 204, replace(5, 2));
    write(10, 11, 204, merge(6));
    read(12, 13, TableWrite.cell(5, 6));
    write(14, 15, 204, new TableWrite(Verb.DELETE, 0, 7, 6, "e"));
    read(16, 17, 0);
    write(18, 19, 204, merge(8));
    read(20, 21, TableWrite.cell(0, 8));
    assertThat(violation()).isNull();
    write(22, 23, 409, replace(9, TableWrite.ANY));
    assertThat(violation()).isNotNull();
  }

  @Test
  void aBatchIsRefusedAsAWhole() {
    write(0, 1, 404, insert(1), new TableWrite(Verb.DELETE, 1, 1, TableWrite.ANY, "*"));
    read(2, 3, 0);
    assertThat(violation()).isNull();
    read(4, 5, TableWrite.cell(1, 1));
    assertThat(violation()).isNotNull();
  }

  @Test
  void aLostWriteIsReportedWithItsRead() {
    write(0, 1, 204, insert(1));
    read(2, 3, TableWrite.cell(1, 1));
    for (int i = 0; i < 50; i++) {
      page(3, 4, TableWrite.cell(1, 1), 0);
    }
    write(5, 6, 204, replace(2, TableWrite.NONE));
    read(7, 8, TableWrite.cell(1, 1));
    Violation found = violation();
    assertThat(found.kind()).isEqualTo(Violation.Kind.LOST_WRITE);
    assertThat(found.what().lines().map(String::strip))
        .containsExactly(
            "table t, r0",
            "0.000 .. 1.000 ms     client 0   insert r0 a=b=1 -> 204 e",
            "5.000 .. 6.000 ms     client 0   replace r0 a=b=2 -> 204 e",
            "7.000 .. 8.000 ms     client 1   get r0 -> r0 a=1 b=1 e   <- no order of the operations"
                + " explains this",
            "possible were: r0=2/2");
  }

  @Test
  void aReadBetweenNewerOnesIsStale() {
    write(0, 1, 204, insert(1));
    write(2, 3, 204, replace(2, TableWrite.NONE));
    read(4, 5, TableWrite.cell(1, 1));
    read(6, 7, TableWrite.cell(2, 2));
    assertThat(violation().kind()).isEqualTo(Violation.Kind.STALE_READ);
  }

  @Test
  void aWriteThatComesBackIsReordered() {
    write(0, 1, 204, insert(1));
    write(2, 3, 204, replace(2, TableWrite.NONE));
    read(4, 5, TableWrite.cell(2, 2));
    read(6, 7, TableWrite.cell(1, 1));
    assertThat(violation().kind()).isEqualTo(Violation.Kind.REORDERED);
  }

  @Test
  void aPartOfABatchIsTorn() {
    write(0, 10, 204, insert(1), new TableWrite(Verb.INSERT, 1, 1, TableWrite.NONE, ""));
    page(2, 3, TableWrite.cell(1, 1), 0);
    assertThat(violation().kind()).isEqualTo(Violation.Kind.TORN_BATCH);
  }

  @Test
  void contentThatNobodyWroteIsWrong() {
    read(2, 3, TableWrite.cell(7, 7));
    assertThat(violation().kind()).isEqualTo(Violation.Kind.WRONG_ANSWER);
  }

  private static TableWrite insert(int number) {
    return new TableWrite(Verb.INSERT, 0, number, TableWrite.NONE, "");
  }

  private static TableWrite replace(int number, int expected) {
    return new TableWrite(Verb.REPLACE, 0, number, expected, "e");
  }

  private static TableWrite merge(int number) {
    return new TableWrite(Verb.MERGE, 0, number, TableWrite.NONE, "");
  }

  private void write(long start, long end, int status, TableWrite... writes) {
    List<String> etags = status < 300 ? Stream.of(writes).map(each -> "e").toList() : List.of();
    WriteStep step = new WriteStep(List.of(writes), new Written(status, etags));
    calls.add(new Call(start * MILLI, end * MILLI, 0, step));
  }

  private void read(long start, long end, long cell) {
    List<Row> rows = cell == 0 ? List.of() : List.of(new Row(0, cell, "e"));
    calls.add(new Call(start * MILLI, end * MILLI, 1, new ReadStep(0, rows)));
  }

  private void page(long start, long end, long first, long second) {
    List<Row> rows =
        Stream.of(new Row(0, first, "e"), new Row(1, second, "e"))
            .filter(row -> row.cell() != 0)
            .toList();
    calls.add(new Call(start * MILLI, end * MILLI, 1, new ReadStep(ReadStep.PAGE, rows)));
  }

  private Violation violation() {
    Contradiction found = new Linearization(new long[2]).add(calls);
    return found == null
        ? null
        : Explanation.of(
            "table t",
            found,
            calls,
            cell -> new long[] {TableWrite.a(cell), TableWrite.b(cell)},
            cell -> "r" + cell);
  }
}
