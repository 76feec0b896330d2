package io.lazuli.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterSpec;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * All cases of tables with region servers that evaluate the conditions of queries, from the first
 * page on. {@link ClusterSuiteIT} runs the same cases on region servers without the filter.
 */
@Tag("long")
class FilteredSuiteIT {
  private static final int CASES_MIN = 400;

  private static final Pattern FILTERED_PAGES =
      Pattern.compile("^lazuli_hbase_filtered_pages_total (\\S+)$", Pattern.MULTILINE);

  @TempDir private Path folder;

  @Test
  void allCasesPassWithTheFilter() throws IOException {
    ClusterSpec spec = ClusterSpec.of(2).withJars(List.of(ClusterServers.filterJar()));
    try (Cluster cluster = Cluster.start(spec)) {
      String text = Files.readString(cluster.clientConfig());
      String always = "<property><name>lazuli.pushdown</name><value>always</value></property>";
      Files.writeString(
          cluster.clientConfig(), text.replace("</configuration>", always + "</configuration>"));
      try (ServerProcess server = ClusterServers.start(cluster, folder)) {
        StorageService tables = StorageService.TABLE;
        ClusterServers.assertPassed(server.account(tables).base(), tables, CASES_MIN);
        assertThat(filteredPages(server.admin())).isPositive();
      }
    }
  }

  /** Without any, the suite would not have reached the filter. */
  private static double filteredPages(URI admin) throws IOException {
    try (InputStream in = admin.resolve("/metrics").toURL().openStream()) {
      Matcher line = FILTERED_PAGES.matcher(new String(in.readAllBytes(), UTF_8));
      assertThat(line.find()).isTrue();
      return Double.parseDouble(line.group(1));
    }
  }
}
