package io.lazuli.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packed server on a real cluster, as users see it: cases of all three services. */
class HBaseSmokeIT {
  @TempDir private Path folder;

  /** The smallest real cluster, and areas that are small and use much of the engine. */
  @Test
  void someCasesOfEachServicePassOnASmallCluster() throws IOException {
    try (Cluster cluster = Cluster.start(ClusterSpec.inOneProcess());
        ServerProcess server = start(cluster)) {
      assertPassed(server, StorageService.TABLE, 25, "--area", "paging");
      assertPassed(server, StorageService.QUEUE, 10, "--area", "concurrency");
      assertPassed(server, StorageService.BLOB, 10, "--area", "batch");
    }
  }

  @Test
  @Tag("long")
  void allCasesPassOnThreeRegionServersWithHdfs() throws IOException {
    try (Cluster cluster = Cluster.start(ClusterSpec.of(3).withHdfs());
        ServerProcess server = start(cluster)) {
      for (StorageService service : StorageService.values()) {
        assertPassed(server, service, 400);
      }
    }
  }

  private ServerProcess start(Cluster cluster) {
    Path engine =
        AccountUnderTest.serverJar().resolve("../../../lazuli-storage-hbase/target/engine");
    return ServerProcess.start(
        AccountUnderTest.serverJar(),
        folder,
        List.of(
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "-Dlazuli.engine.hbase=" + engine.normalize()),
        List.of("--engine", "hbase", "--engine-config", cluster.clientConfig().toString()));
  }

  private void assertPassed(
      ServerProcess server, StorageService service, int min, String... options) throws IOException {
    Path json = folder.resolve(service.word() + ".json");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-jar"));
    command.addAll(List.of(Path.of("target", "lazuli-conformance.jar").toString(), "conformance"));
    command.addAll(List.of("--endpoint", server.account(service).base()));
    command.addAll(List.of("--service", service.word(), "--json", json.toString()));
    command.addAll(List.of(options));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.onExit().join().exitValue()).as("%s", said).isZero();
    JsonNode total = new ObjectMapper().readTree(json.toFile()).path("total");
    assertThat(total.path("passed").asInt()).as("%s", said).isGreaterThanOrEqualTo(min);
  }
}
