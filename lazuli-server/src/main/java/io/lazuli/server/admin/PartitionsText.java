package io.lazuli.server.admin;

import io.lazuli.storage.PartitionMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A partition map as tables for people. */
final class PartitionsText {
  private PartitionsText() {}

  static String of(PartitionMap map) {
    StringBuilder text = new StringBuilder("balancing: ").append(map.balancing()).append('\n');
    if (map.ranges().isEmpty()) {
      return text.toString();
    }
    PartitionMap.Totals totals = map.totals();
    text.append(
        "so far: %d splits, %d merges, %d moves, %d failed, %d partitions too hot\n"
            .formatted(
                totals.splits(),
                totals.merges(),
                totals.moves(),
                totals.failed(),
                totals.tooHot()));
    addNodes(map.nodes(), text);
    addRanges(map.ranges(), text);
    addHottest(map.hottest(), text);
    if (!map.actions().isEmpty()) {
      text.append("\nlast actions\n");
    }
    for (PartitionMap.Action action : map.actions()) {
      text.append(action.time()).append("  ").append(action.what());
      text.append("\n    why: ").append(action.why());
      text.append("\n    outcome: ").append(action.outcome()).append('\n');
    }
    return text.toString();
  }

  private static void addNodes(List<PartitionMap.Node> nodes, StringBuilder text) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("node", "ranges", "requests/s"));
    for (PartitionMap.Node node : nodes) {
      rows.add(
          node.answers()
              ? List.of(
                  node.server(), String.valueOf(node.ranges()), number(node.requestsPerSecond()))
              : List.of(node.server(), "?", "?"));
    }
    addTable(rows, 1, text);
  }

  private static void addRanges(List<PartitionMap.Range> ranges, StringBuilder text) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("table", "from", "to", "server", "requests/s", "reads/s", "writes/s", "MiB"));
    for (PartitionMap.Range range : ranges) {
      rows.add(
          List.of(
              range.table(),
              range.from().isEmpty() ? "\u2026" : range.from(),
              range.to().isEmpty() ? "\u2026" : range.to(),
              range.server().isEmpty() ? "nobody" : range.server(),
              number(range.requestsPerSecond()),
              number(range.readsPerSecond()),
              number(range.writesPerSecond()),
              number(range.bytes() / (double) (1 << 20))));
    }
    addTable(rows, 4, text);
  }

  private static void addHottest(List<PartitionMap.HotPartition> hottest, StringBuilder text) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("table", "hottest partitions", "requests/s"));
    for (PartitionMap.HotPartition hot : hottest) {
      rows.add(List.of(hot.table(), hot.partition(), number(hot.requestsPerSecond())));
    }
    if (rows.size() > 1) {
      addTable(rows, 2, text);
    }
  }

  /**
   * Appends a table whose columns are as wide as their longest entry. Columns from the given one on
   * are numbers.
   */
  private static void addTable(List<List<String>> rows, int firstNumber, StringBuilder text) {
    text.append('\n');
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < row.size(); column++) {
        String align = column < firstNumber ? "%-" : "%";
        line.append((align + width(rows, column) + "s  ").formatted(row.get(column)));
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
  }

  private static int width(List<List<String>> rows, int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(1);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
