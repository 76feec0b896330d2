package io.lazuli.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterSpec;
import io.lazuli.conformance.turns.InTurns;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** All cases on three region servers with HDFS. */
@Tag("long")
class ClusterSuiteIT {
  private static final int CASES_MIN = 400;

  @TempDir private static Path folder;
  private static Cluster cluster;
  private static ServerProcess first;
  private static ServerProcess second;

  @BeforeAll
  static void start() {
    cluster = Cluster.start(ClusterSpec.of(3).withHdfs());
    first = ClusterServers.start(cluster, folder.resolve("first"));
    second = ClusterServers.start(cluster, folder.resolve("second"));
  }

  @AfterAll
  static void stop() {
    Stream.of(first, second).filter(Objects::nonNull).forEach(ServerProcess::close);
    if (cluster != null) {
      cluster.close();
    }
  }

  @ParameterizedTest
  @EnumSource
  void allCasesPassOnOneServer(StorageService service) throws IOException {
    ClusterServers.assertPassed(first.account(service).base(), service, CASES_MIN);
  }

  /** Neither server may need to know what the other one has done. */
  @ParameterizedTest
  @EnumSource
  void allCasesPassOnTwoServersAskedInTurns(StorageService service) throws IOException {
    Account account = first.account(service);
    List<Integer> ports = List.of(account.port(), second.account(service).port());
    try (InTurns both = new InTurns(ports)) {
      String base = "http://127.0.0.1:" + both.port() + account.pathPrefix();
      ClusterServers.assertPassed(base, service, CASES_MIN);
      assertThat(both.requests()).isGreaterThan(5 * CASES_MIN);
    }
  }
}
