package io.lazuli.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs with the credentials of azure-identity, and the variables that the server wrote. */
class DevelopmentIdentityIT {
  private static final List<String> MANAGED =
      List.of("IDENTITY_ENDPOINT", "IDENTITY_HEADER", "JAVA_TOOL_OPTIONS");

  /** Two programs run at the same time, because most of their time goes into their start. */
  @Test
  void unmodifiedProgramsGetTokensAndUseAllServices(@TempDir Path folder) throws IOException {
    try (ServerProcess server =
        ServerProcess.startWith(
            AccountUnderTest.serverJar(), folder, "--dev-identity", "--dev-identity-port", "0")) {
      Map<String, String> all = variables(folder.resolve("data"));
      Map<String, String> managed = new LinkedHashMap<>(all);
      managed.keySet().retainAll(MANAGED);
      Process azure = start(server, all, "default", "environment", "workload", "secret");
      Process service = start(server, managed, "default", "managed");
      assertThat(output(azure))
          .contains("used default", "used environment", "used workload", "used secret");
      assertThat(output(service)).contains("used default", "used managed");
    }
  }

  /** Reads the variables of the development identity of a server. */
  static Map<String, String> variables(Path data) throws IOException {
    Map<String, String> variables = new LinkedHashMap<>();
    for (String line : Files.readAllLines(data.resolve("dev-identity/env"))) {
      int sign = line.indexOf('=');
      variables.put(line.substring(0, sign), line.substring(sign + 1));
    }
    return variables;
  }

  private static Process start(
      ServerProcess server, Map<String, String> variables, String... credentials) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                IdentityProgram.class.getName()));
    command.addAll(AllServices.endpoints(server));
    command.addAll(List.of(credentials));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(variables);
    try {
      return builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String output(Process process) throws IOException {
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }
}
