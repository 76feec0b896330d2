package io.lazuli.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packed {@code lazuli conformance} finds its cases and starts a server for them. */
class PackedSuiteIT {

  @TempDir private Path folder;

  @Test
  void thePackedSuiteFindsItsCasesAndItsServer() throws IOException {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Path json = folder.resolve("report.json");
    Path jar = Path.of("target", "lazuli-conformance.jar");
    Process process =
        new ProcessBuilder(
                List.of(
                    java.toString(),
                    "-XX:TieredStopAtLevel=1",
                    "-jar",
                    jar.toString(),
                    "conformance",
                    "--area",
                    "paging",
                    "--json",
                    json.toString()))
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.onExit().join().exitValue()).as("%s", said).isZero();
    assertThat(said).contains("Lazuli ", "paging", "100 %").doesNotContain("FAILED");
    JsonNode total = new ObjectMapper().readTree(json.toFile()).path("total");
    assertThat(total.path("passed").asInt()).as("%s", said).isGreaterThan(20);
  }
}
