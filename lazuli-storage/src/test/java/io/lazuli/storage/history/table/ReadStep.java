package io.lazuli.storage.history.table;

import io.lazuli.storage.history.Step;
import io.lazuli.storage.history.table.TableClient.Row;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A read of one row, or a page with all rows of the partition.
 *
 * @param row {@link #PAGE} for all rows
 * @param shown the rows of the answer
 */
record ReadStep(int row, List<Row> shown) implements Step {
  static final int PAGE = -1;

  @Override
  public long[] apply(long[] state) {
    for (int each = 0; each < state.length; each++) {
      if (touches(each) && seen(each) != state[each]) {
        return null;
      }
    }
    return state;
  }

  @Override
  public boolean changes() {
    return false;
  }

  @Override
  public boolean touches(int cell) {
    return row == PAGE || row == cell;
  }

  @Override
  public long seen(int cell) {
    if (!touches(cell)) {
      return UNSEEN;
    }
    for (Row each : shown) {
      if (each.row() == cell) {
        return each.cell();
      }
    }
    return 0;
  }

  @Override
  public long number() {
    return 0;
  }

  @Override
  public String toString() {
    String all =
        shown.stream()
            .map(
                each ->
                    "r%d a=%d b=%d %s"
                        .formatted(
                            each.row(),
                            TableWrite.a(each.cell()),
                            TableWrite.b(each.cell()),
                            each.etag()))
            .collect(Collectors.joining(", "));
    return (row == PAGE ? "page" : "get r" + row) + " -> " + (all.isEmpty() ? "nothing" : all);
  }
}
