package io.lazuli.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * What {@code lazuli dev-cert} of the packed server made in a folder.
 *
 * @param said what it printed
 */
record DevCert(Path folder, String said) {

  static DevCert make(Path parent) throws IOException {
    Path folder = parent.resolve("certs");
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Process process =
        new ProcessBuilder(
                List.of(
                    java.toString(),
                    "-jar",
                    AccountUnderTest.serverJar().toString(),
                    "dev-cert",
                    "--folder",
                    folder.toString()))
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.onExit().join().exitValue()).as("%s", said).isZero();
    return new DevCert(folder, said);
  }

  Path authority() {
    return folder.resolve("ca.pem");
  }

  ServerProcess startServer(Path parent) {
    return ServerProcess.startWith(
        AccountUnderTest.serverJar(),
        parent.resolve("server"),
        "--tls-cert",
        folder.resolve("localhost.pem").toString(),
        "--tls-key",
        folder.resolve("localhost-key.pem").toString());
  }
}
