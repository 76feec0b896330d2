package io.lazuli.server.metrics;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text of an export in the format of Prometheus, read for tests. */
public final class ExportedMetrics {
  private static final Pattern TYPE = Pattern.compile("# TYPE (\\w+) (\\w+)");
  private static final Pattern SAMPLE = Pattern.compile("(\\w+)(?:\\{(.*)})? (\\S+)");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

  /** One metric: its type, the names of its labels, and its series. */
  public record Metric(String type, Set<String> labels, Map<String, Double> series) {}

  private final Map<String, Metric> metrics = new TreeMap<>();

  public ExportedMetrics(String text) {
    String name = "";
    for (String line : text.split("\n", -1)) {
      Matcher type = TYPE.matcher(line);
      Matcher sample = SAMPLE.matcher(line);
      if (type.matches()) {
        name = type.group(1);
        metrics.put(name, new Metric(type.group(2), new TreeSet<>(), new LinkedHashMap<>()));
      } else if (sample.matches()) {
        add(metrics.get(name), sample);
      }
    }
  }

  private static void add(Metric metric, Matcher sample) {
    List<String> labels = new ArrayList<>();
    Matcher label = LABEL.matcher(sample.group(2) == null ? "" : sample.group(2));
    while (label.find()) {
      labels.add(label.group(1) + "=" + label.group(2));
      if (!label.group(1).equals("le")) {
        metric.labels().add(label.group(1));
      }
    }
    double value = Double.parseDouble(sample.group(3).replace("+Inf", "Infinity"));
    metric.series().put(sample.group(1) + labels, value);
  }

  public Map<String, Metric> metrics() {
    return metrics;
  }

  /** Returns the value of a series, such as {@code lazuli_connections[]}; NaN if it is missing. */
  public double value(String series) {
    return metrics.values().stream()
        .filter(metric -> metric.series().containsKey(series))
        .mapToDouble(metric -> metric.series().get(series))
        .findFirst()
        .orElse(Double.NaN);
  }
}
