package io.lazuli.benchmarks.report;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * One table of the report with its remarks and the aims that it measures, as Markdown that is also
 * readable on a terminal. Mutable while its scenario fills it.
 */
public final class Section {
  private final String title;
  private final List<List<String>> rows = new ArrayList<>();
  private final List<String> remarks = new ArrayList<>();
  private final Map<Aim, Double> measured = new EnumMap<>(Aim.class);

  public Section(String title, String... columns) {
    this.title = title;
    rows.add(List.of(columns));
  }

  /** Creates a section whose rows are series, with additional columns after the common figures. */
  public static Section ofSeries(String title, String... more) {
    List<String> columns = new ArrayList<>(List.of("what", "per s", "CPU us", "p50 ms", "p99 ms"));
    columns.addAll(List.of(more));
    return new Section(title, columns.toArray(String[]::new));
  }

  public Section row(Series series, String... more) {
    List<String> cells = new ArrayList<>(List.of(series.name()));
    cells.add(Figures.number(series.median(Sample::requestsPerSecond)));
    cells.add(Figures.number(series.median(Sample::cpuMicros)));
    cells.add(Figures.number(series.median(Sample::p50Millis)));
    cells.add(Figures.number(series.median(Sample::p99Millis)));
    cells.addAll(List.of(more));
    return row(cells.toArray(String[]::new));
  }

  public Section row(String... cells) {
    rows.add(List.of(cells));
    return this;
  }

  public Section remark(String text) {
    remarks.add(text);
    return this;
  }

  public Section aim(Aim aim, double value) {
    measured.put(aim, value);
    return this;
  }

  /** Returns the measured values of this section's aims. */
  public Map<Aim, Double> measured() {
    return measured;
  }

  public String markdown() {
    StringBuilder text = new StringBuilder("\n## " + title + "\n\n");
    int[] widths = widths();
    appendRow(text, rows.get(0), widths);
    text.append(
        IntStream.of(widths)
            .mapToObj(width -> "-".repeat(width + 2))
            .collect(Collectors.joining("|", "|", "|\n")));
    rows.stream().skip(1).forEach(row -> appendRow(text, row, widths));
    text.append('\n');
    remarks.forEach(remark -> text.append("- ").append(remark).append('\n'));
    measured.forEach((aim, value) -> text.append("- ").append(aim.verdict(value)).append('\n'));
    return text.toString();
  }

  private int[] widths() {
    return IntStream.range(0, rows.get(0).size())
        .map(column -> rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0))
        .toArray();
  }

  /** Appends a row: the first column is text, the others are numbers. */
  private static void appendRow(StringBuilder text, List<String> row, int[] widths) {
    for (int i = 0; i < row.size(); i++) {
      String space = " ".repeat(widths[i] - row.get(i).length());
      text.append("| ").append(i == 0 ? row.get(i) + space : space + row.get(i)).append(' ');
    }
    text.append("|\n");
  }
}
