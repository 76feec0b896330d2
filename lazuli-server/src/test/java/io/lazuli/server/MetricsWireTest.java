package io.lazuli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lazuli.server.account.Account;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.http.RawConnection;
import io.lazuli.server.http.RawConnection.Answer;
import io.lazuli.server.metrics.ExportFormat;
import io.lazuli.server.metrics.ExportedMetrics;
import io.lazuli.server.metrics.ServerMetrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks what {@code GET /metrics} answers, and compares it with docs/metrics.md. */
class MetricsWireTest {
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `(lazuli_\\w+)` \\| (\\w+) \\|([^|]*)\\| [^|]+ \\|$");
  private static final Pattern JVM_ROW =
      Pattern.compile("(?m)^\\| `((?:jvm|process|system)_\\w+)` \\| (\\w+) \\| [^|]+ \\|$");
  private static final Pattern NAME = Pattern.compile("`(\\w+)`");

  @TempDir private Path folder;

  @Test
  void theDocumentListsEveryMetric() throws IOException {
    String document = Files.readString(Path.of("..", "docs", "metrics.md"));
    String target = folder.resolve("target").toString();
    try (LazuliServer server =
        LazuliServer.start(
            config()
                .dataFolder(folder.resolve("data"))
                .backup(plan -> plan.withTarget(target).withArchive(true))
                .build())) {
      useTables(server);
      Map<String, String> exported = new TreeMap<>();
      Map<String, String> machine = new TreeMap<>();
      export(server)
          .metrics()
          .forEach(
              (name, metric) -> {
                if (name.startsWith("lazuli_")) {
                  exported.put(name, metric.type() + metric.labels());
                } else {
                  machine.put(name, metric.type());
                }
              });
      Map<String, String> told = told(document);
      assertThat(exported).isNotEmpty();
      assertThat(told.entrySet()).containsAll(exported.entrySet());
      told.keySet().removeAll(exported.keySet());
      assertThat(told.keySet()).allMatch(MetricsWireTest::isNamedByAnEngineOrARound);
      assertThat(machine).isNotEmpty();
      assertThat(toldOfTheMachine(document).entrySet()).containsAll(machine.entrySet());
    }
  }

  /**
   * Some metrics need a cluster, a collector, or a round of a background thread. The code must name
   * them.
   */
  private static boolean isNamedByAnEngineOrARound(String name) {
    String constant = "\"" + name.replaceFirst("_total$", "") + "\"";
    Path round = Path.of("src/main/java/io/lazuli/server/queue/service/QueueDepths.java");
    Path spans = Path.of("src/main/java/io/lazuli/server/trace/SpanQueue.java");
    try (Stream<Path> cluster = Files.walk(Path.of("../lazuli-storage-hbase/src/main/java"))) {
      return Stream.concat(cluster.filter(Files::isRegularFile), Stream.of(round, spans))
          .anyMatch(file -> read(file).contains(constant));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static Map<String, String> told(String document) {
    Map<String, String> told = new TreeMap<>();
    Matcher row = ROW.matcher(document);
    while (row.find()) {
      Set<String> labels = new TreeSet<>();
      Matcher label = NAME.matcher(row.group(3));
      while (label.find()) {
        labels.add(label.group(1));
      }
      assertThat(told.put(row.group(1), row.group(2) + labels)).isNull();
    }
    return told;
  }

  private static Map<String, String> toldOfTheMachine(String document) {
    Map<String, String> told = new TreeMap<>();
    Matcher row = JVM_ROW.matcher(document);
    while (row.find()) {
      told.put(row.group(1), row.group(2));
    }
    return told;
  }

  @Test
  void requestsAreCountedByOperationStatusAndCode() throws IOException {
    try (LazuliServer server = LazuliServer.start(config().engine("memory").build())) {
      useTables(server);
      ExportedMetrics found = export(server);
      String table = "lazuli_requests_total[code=%s, operation=%s, service=table, status=%d]";
      assertThat(found.value(table.formatted("", "CreateTable", 201))).isEqualTo(1);
      assertThat(found.value(table.formatted("", "InsertEntity", 201))).isEqualTo(2);
      assertThat(found.value(table.formatted("EntityAlreadyExists", "InsertEntity", 409)))
          .isEqualTo(1);
      assertThat(found.value(table.formatted("", "QueryEntities", 200))).isEqualTo(1);
      assertThat(found.value(table.formatted("AuthenticationFailed", "QueryTables", 403)))
          .isEqualTo(1);
      assertThat(found.value("lazuli_request_seconds_count[operation=InsertEntity, service=table]"))
          .isEqualTo(3);
      assertThat(found.value("lazuli_query_entities_returned_total[plan=table scan]")).isEqualTo(2);
      assertThat(found.value("lazuli_table_requests_total[account=devstoreaccount1, table=Staff]"))
          .isEqualTo(6);
    }
  }

  @Test
  void requestsForWebsitesAreCounted() throws IOException {
    try (LazuliServer server = LazuliServer.start(config().engine("memory").webPort(0).build());
        RawConnection web = new RawConnection(server.webPort())) {
      String request = "%s /devstoreaccount1/a HTTP/1.1\r\nHost: localhost\r\n\r\n";
      assertThat(web.ask(request.formatted("GET")).status()).isEqualTo(404);
      assertThat(web.ask(request.formatted("DELETE")).status()).isEqualTo(405);
      await().until(() -> server.counters().answered(4) == 2);
      ExportedMetrics found = export(server);
      String counter = "lazuli_requests_total[code=%s, operation=%s, service=web, status=%d]";
      assertThat(found.value(counter.formatted("WebsiteDisabled", "GetWebContent", 404)))
          .isEqualTo(1);
      assertThat(found.value(counter.formatted("UnsupportedHttpVerb", "Unknown", 405)))
          .isEqualTo(1);
    }
  }

  @Test
  void bothFormatsAreOffered() throws IOException {
    try (LazuliServer server = LazuliServer.start(config().engine("memory").build())) {
      Answer text = ask(server, "GET", "text/html");
      assertThat(text.header("Content-Type")).isEqualTo("text/plain; version=0.0.4; charset=utf-8");
      assertThat(text.body()).contains("# TYPE lazuli_connections gauge\n");
      Answer open = ask(server, "GET", "application/openmetrics-text;version=1.0.0");
      assertThat(open.header("Content-Type"))
          .isEqualTo("application/openmetrics-text; version=1.0.0; charset=utf-8");
      assertThat(open.body()).contains("# TYPE lazuli_connections gauge\n").endsWith("# EOF\n");
      assertThat(ask(server, "POST", "*/*").status()).isEqualTo(405);
    }
  }

  /** A service may have two listeners; their series must not be exported twice. */
  @Test
  void listenersOfOneServiceShareTheirCounts() {
    try (ServerMetrics metrics = new ServerMetrics()) {
      assertThat(metrics.requests("blob")).isSameAs(metrics.requests("blob"));
      assertThat(metrics.text(ExportFormat.PROMETHEUS))
          .containsOnlyOnce("lazuli_requests_aborted_total{service=\"blob\"}");
    }
  }

  private static void useTables(LazuliServer server) {
    Account account = Account.development();
    AccountClient client =
        new AccountClient(server.tablePort(), account.name(), account.keys().get(0));
    assertThat(client.createTable("Staff").status()).isEqualTo(201);
    assertThat(client.insert("Staff", "1", "a").status()).isEqualTo(201);
    assertThat(client.insert("Staff", "2", "b").status()).isEqualTo(201);
    assertThat(client.insert("Staff", "2", "b").status()).isEqualTo(409);
    assertThat(client.get("/Staff()").status()).isEqualTo(200);
    assertThat(client.get("/Staff(PartitionKey='p',RowKey='1')").status()).isEqualTo(200);
    assertThat(client.anybody("GET", "/Tables").status()).isEqualTo(403);
    await().until(() -> server.counters().answered(4) == 2 && server.counters().answered(2) == 5);
  }

  private static ExportedMetrics export(LazuliServer server) throws IOException {
    return new ExportedMetrics(ask(server, "GET", "*/*").body());
  }

  private static Answer ask(LazuliServer server, String method, String accept) throws IOException {
    try (RawConnection admin = new RawConnection(server.adminPort())) {
      return admin.ask(
          method + " /metrics HTTP/1.1\r\nHost: localhost\r\nAccept: " + accept + "\r\n\r\n");
    }
  }

  private static ServerConfig.Builder config() {
    return ServerConfig.builder().freePorts();
  }
}
