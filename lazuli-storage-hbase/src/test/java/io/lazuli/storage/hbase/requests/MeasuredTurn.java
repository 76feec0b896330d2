package io.lazuli.storage.hbase.requests;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What was measured while some clients made requests for some time. Its text is a line that can be
 * read again.
 *
 * @param name what the turn is for
 * @param mix the requests, or {@code queue}
 * @param figures the numbers of servers and clients, requests per second, times in milliseconds,
 *     the processors that each process used, the calls per second to each region server
 */
record MeasuredTurn(String name, String mix, Map<String, Double> figures) {
  static MeasuredTurn parse(String line) {
    String[] words = line.split("\t", -1);
    Map<String, Double> figures = new LinkedHashMap<>();
    for (int i = 2; i < words.length; i++) {
      String[] pair = words[i].split("=", 2);
      figures.put(pair[0], Double.valueOf(pair[1]));
    }
    return new MeasuredTurn(words[0], words[1], figures);
  }

  @Override
  public String toString() {
    StringBuilder line = new StringBuilder(name + "\t" + mix);
    figures.forEach(
        (key, value) -> line.append(String.format(Locale.ROOT, "\t%s=%.4f", key, value)));
    return line.toString();
  }

  double figure(String key) {
    return figures.getOrDefault(key, 0.0);
  }

  double rate() {
    return figure("rate");
  }

  int clients() {
    return (int) figure("clients");
  }

  int servers() {
    return (int) figure("servers");
  }

  /** Returns the sum of the figures of all processes of a kind. */
  double sum(String kind) {
    return figures.entrySet().stream()
        .filter(each -> each.getKey().matches(kind + "\\d"))
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }

  static double median(List<MeasuredTurn> turns, ToDoubleFunction<MeasuredTurn> figure) {
    double[] sorted = turns.stream().mapToDouble(figure).sorted().toArray();
    return sorted.length == 0
        ? 0
        : (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }
}
