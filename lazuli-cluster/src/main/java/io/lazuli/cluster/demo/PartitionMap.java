package io.lazuli.cluster.demo;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterProcess;
import io.lazuli.cluster.HostedRegion;
import io.lazuli.cluster.LazuliNode;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Lists the ranges of keys and their region servers, as Lazuli reports them or, if Lazuli reports
 * none, as HBase does.
 */
final class PartitionMap {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private PartitionMap() {}

  static String of(Cluster cluster, List<LazuliNode> servers) throws InterruptedException {
    for (LazuliNode server : servers) {
      String report = reportedBy(server);
      if (!report.isEmpty()) {
        return report;
      }
    }
    return of(cluster.regions(), names(cluster));
  }

  private static String reportedBy(LazuliNode server) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(server.adminEndpoint().resolve("/partitions"))
            .timeout(PATIENCE)
            .header("Accept", "text/plain")
            .build();
    try {
      HttpResponse<String> answer =
          HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
      return answer.statusCode() == 200 ? answer.body() : "";
    } catch (IOException e) {
      return "";
    }
  }

  private static Map<String, String> names(Cluster cluster) {
    Map<String, String> names = new HashMap<>();
    for (ClusterProcess process : cluster.regionServers()) {
      process.serverName().ifPresent(server -> names.put(server, process.name()));
    }
    return names;
  }

  /** Returns a line for each region; the ends of the key space are printed as dots. */
  static String of(List<HostedRegion> regions, Map<String, String> names) {
    StringBuilder text = new StringBuilder();
    for (HostedRegion region : regions) {
      text.append(
          String.format(
              "%-18s %-16s [%s, %s)%n",
              region.table(),
              names.getOrDefault(region.server(), region.server()),
              region.start().isEmpty() ? "…" : region.start(),
              region.end().isEmpty() ? "…" : region.end()));
    }
    return text.toString();
  }
}
