package io.lazuli.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks the alerts and the dashboard in deploy/prometheus. */
class DeployTest {
  private static final Logger LOG = LoggerFactory.getLogger(DeployTest.class);
  private static final Path FOLDER = Path.of("..", "deploy", "prometheus");
  private static final Pattern METRIC = Pattern.compile("\\b(?:lazuli|jvm|process|system)_\\w+");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\| (\\w+) \\|");

  @Test
  void alertsUseDocumentedMetrics() throws IOException {
    assertThat(metrics(read("alerts.yml"))).isNotEmpty().isSubsetOf(documented());
    assertThat(metrics(read("alerts-test.yml"))).isNotEmpty().isSubsetOf(documented());
  }

  @Test
  void theDashboardUsesDocumentedMetrics() throws IOException {
    Set<String> used = new TreeSet<>();
    int queries = 0;
    try (JsonParser json = new JsonFactory().createParser(read("dashboard.json"))) {
      while (json.nextToken() != null) {
        boolean isText = json.currentToken() == JsonToken.VALUE_STRING;
        if (isText && Set.of("expr", "query").contains(String.valueOf(json.currentName()))) {
          used.addAll(metrics(json.getText()));
          queries++;
        }
      }
    }
    assertThat(queries).isGreaterThan(30);
    assertThat(used).isSubsetOf(documented());
  }

  @Test
  void everyAlertIsTested() throws IOException {
    Set<String> alerts = new TreeSet<>();
    Matcher alert = Pattern.compile("- alert: (\\w+)").matcher(read("alerts.yml"));
    while (alert.find()) {
      alerts.add(alert.group(1));
    }
    Set<String> fired = new TreeSet<>();
    Matcher test =
        Pattern.compile("alertname: (\\w+)\\s+exp_alerts:\\s+- exp_labels")
            .matcher(read("alerts-test.yml"));
    while (test.find()) {
      fired.add(test.group(1));
    }
    assertThat(fired).isNotEmpty().isEqualTo(alerts);
  }

  @Test
  void promtoolMakesEachAlertFire() throws Exception {
    Optional<Path> promtool = find("promtool");
    if (promtool.isEmpty()) {
      LOG.warn("NOT RUN: the alerts were not tested, because promtool is not on the path");
      Assumptions.abort("promtool is not on the path");
    }
    assertThat(run(List.of(promtool.get().toString(), "check", "rules", "alerts.yml"))).isZero();
    assertThat(run(List.of(promtool.get().toString(), "test", "rules", "alerts-test.yml")))
        .isZero();
  }

  private static int run(List<String> command) throws Exception {
    Process process = new ProcessBuilder(command).directory(FOLDER.toFile()).inheritIO().start();
    boolean ended = process.waitFor(60, TimeUnit.SECONDS);
    process.destroyForcibly();
    assertThat(ended).isTrue();
    return process.exitValue();
  }

  private static Optional<Path> find(String tool) {
    String path = Objects.requireNonNullElse(System.getenv("PATH"), "");
    for (String folder : path.split(Pattern.quote(File.pathSeparator), -1)) {
      Path file = Path.of(folder, tool);
      if (Files.isExecutable(file)) {
        return Optional.of(file);
      }
    }
    return Optional.empty();
  }

  /** Returns the names of the series that a query can use. */
  private static Set<String> documented() throws IOException {
    Set<String> names = new TreeSet<>();
    Matcher row = ROW.matcher(Files.readString(Path.of("..", "docs", "metrics.md")));
    while (row.find()) {
      names.add(row.group(1));
      if (row.group(2).equals("histogram") || row.group(2).equals("summary")) {
        List.of("_bucket", "_sum", "_count").forEach(ending -> names.add(row.group(1) + ending));
      }
    }
    return names;
  }

  private static Set<String> metrics(String text) {
    Set<String> names = new TreeSet<>();
    Matcher metric = METRIC.matcher(text);
    while (metric.find()) {
      names.add(metric.group());
    }
    return names;
  }

  private static String read(String name) throws IOException {
    return Files.readString(FOLDER.resolve(name), StandardCharsets.UTF_8);
  }
}
