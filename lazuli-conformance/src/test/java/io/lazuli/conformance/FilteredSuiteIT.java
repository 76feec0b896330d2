package io.lazuli.conformance;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
      }
    }
  }
}
