package io.lazuli.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterSpec;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.discovery.ClassNameFilter;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * The cases that start and kill servers of their own, most of them about features that are switched
 * on, with all those servers on one cluster. Each server gets a store of its own.
 */
@Tag("long")
class ClusterOwnServersIT {
  private static final int CASES_MIN = 85;

  /** The system property with which a server names its store. */
  private static final String STORE = "lazuli.test.store";

  /** The case that looks at the files of RocksDB. */
  private static final String OF_ROCKSDB = ".*\\.DroppedTablesConformanceTest";

  @Test
  void allCasesPass() throws IOException {
    try (Cluster cluster = Cluster.start(ClusterSpec.of(1))) {
      nameStores(cluster);
      System.setProperty(
          ServerProcess.JVM_OPTIONS, ClusterServers.engineOption() + " -D" + STORE + "={store}");
      System.setProperty(
          ServerProcess.SERVE_OPTIONS, String.join(" ", ClusterServers.serveOptions(cluster)));
      TestExecutionSummary summary = run();
      StringWriter text = new StringWriter();
      summary.printTo(new PrintWriter(text));
      summary.printFailuresTo(new PrintWriter(text));
      assertThat(summary.getTotalFailureCount()).as(text.toString()).isZero();
      assertThat(summary.getTestsSucceededCount())
          .as(text.toString())
          .isGreaterThanOrEqualTo(CASES_MIN);
      System.out.println(text);
    } finally {
      System.clearProperty(ServerProcess.JVM_OPTIONS);
      System.clearProperty(ServerProcess.SERVE_OPTIONS);
    }
  }

  /** Lets a property of the server's JVM decide about the namespace: Hadoop replaces it. */
  private static void nameStores(Cluster cluster) throws IOException {
    String end = "</configuration>";
    String property =
        "<property><name>lazuli.namespace</name><value>${" + STORE + "}</value></property>\n";
    String text = Files.readString(cluster.clientConfig());
    assertThat(text).contains(end);
    Files.writeString(cluster.clientConfig(), text.replace(end, property + end));
  }

  private static TestExecutionSummary run() {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(DiscoverySelectors.selectPackage("io.lazuli.conformance"))
            .filters(
                ClassNameFilter.includeClassNamePatterns("[^$]*ConformanceTest"),
                ClassNameFilter.excludeClassNamePatterns(OF_ROCKSDB),
                TagFilter.includeTags("own-server"),
                TagFilter.excludeTags("long"))
            .build();
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create().execute(request, listener);
    return listener.getSummary();
  }
}
