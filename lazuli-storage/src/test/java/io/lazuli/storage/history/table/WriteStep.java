package io.lazuli.storage.history.table;

import io.lazuli.storage.history.Step;
import io.lazuli.storage.history.table.TableClient.Written;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One write, or a batch of them.
 *
 * @param answer {@link #LOST} if there is none
 */
record WriteStep(List<TableWrite> writes, Written answer) implements Step {
  static final Written LOST = new Written(0, List.of());
  private static final int REFUSED = 400;

  @Override
  public long[] apply(long[] state) {
    // The service checks all writes before it applies the first one, and reports the first refusal.
    for (TableWrite each : writes) {
      int refusal = each.refusal(state[each.row()]);
      if (refusal != 0) {
        return answer.equals(LOST) || answer.status() == refusal ? state : null;
      }
    }
    if (answer.status() >= REFUSED) {
      return null;
    }
    long[] after = state.clone();
    for (TableWrite each : writes) {
      after[each.row()] = each.after(state[each.row()]);
    }
    return after;
  }

  @Override
  public boolean changes() {
    return answer.status() < REFUSED;
  }

  @Override
  public boolean touches(int cell) {
    return writes.stream().anyMatch(each -> each.row() == cell);
  }

  @Override
  public long number() {
    return writes.get(0).number();
  }

  @Override
  public String toString() {
    String batch = writes.size() > 1 ? "batch: " : "";
    String all = writes.stream().map(TableWrite::toString).collect(Collectors.joining(", "));
    String result =
        answer.equals(LOST) ? "lost" : answer.status() + " " + String.join(" ", answer.etags());
    return batch + all + " -> " + result;
  }
}
