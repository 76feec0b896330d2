package io.lazuli.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lazuli.cluster.Cluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Packed servers on a real cluster, and runs of the packed suite against them. */
final class ClusterServers {
  private ClusterServers() {}

  static ServerProcess start(Cluster cluster, Path folder) {
    return ServerProcess.start(
        AccountUnderTest.serverJar(), folder, List.of(engineOption()), serveOptions(cluster));
  }

  /** Returns the option of the JVM that names the folder of the engine. */
  static String engineOption() {
    return "-Dlazuli.engine.hbase=" + engine();
  }

  private static Path engine() {
    return AccountUnderTest.serverJar()
        .resolve("../../../lazuli-storage-hbase/target/engine")
        .normalize();
  }

  /** Returns the jar with which region servers evaluate conditions. */
  static Path filterJar() throws IOException {
    try (Stream<Path> jars = Files.list(engine())) {
      return jars.filter(jar -> jar.getFileName().toString().startsWith("lazuli-hbase-filter-"))
          .findFirst()
          .orElseThrow();
    }
  }

  /** Returns the options of {@code serve} for the engine on a cluster. */
  static List<String> serveOptions(Cluster cluster) {
    return List.of("--engine", "hbase", "--engine-config", cluster.clientConfig().toString());
  }

  /**
   * Runs {@code lazuli conformance}, prints its score card, and requires that no case fails.
   *
   * @param base the address of the account
   * @param min how many cases must have passed at least
   */
  static void assertPassed(String base, StorageService service, int min, String... options)
      throws IOException {
    Path json = Files.createTempFile(service.word(), ".json");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-jar"));
    command.addAll(List.of(Path.of("target", "lazuli-conformance.jar").toString(), "conformance"));
    command.addAll(List.of("--endpoint", base));
    command.addAll(List.of("--service", service.word(), "--json", json.toString()));
    command.addAll(List.of(options));
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      System.out.println(said.substring(Math.max(0, said.indexOf("Lazuli-"))));
      assertThat(process.onExit().join().exitValue()).as("%s", said).isZero();
      JsonNode total = new ObjectMapper().readTree(json.toFile()).path("total");
      assertThat(total.path("passed").asInt()).as("%s", said).isGreaterThanOrEqualTo(min);
    } finally {
      Files.delete(json);
    }
  }
}
