package io.lazuli.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The server of the archive with a Java, over TLS, passes every case of the conformance suite that
 * needs no server of its own. The suite runs on the Java of the build.
 */
@Tag("long")
class ConformanceIT {
  private static final String PASSWORD = "changeit";

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"table", "queue", "blob"})
  void everyAreaPassesOverTls(String service) throws Exception {
    Path home = Dist.unpack(Dist.WITH_JAVA, folder);
    Map<String, String> environment = Map.of("PATH", Dist.tools(folder).toString());
    Path certificates = folder.resolve("certificates");
    Dist.run(environment, home + "/lazuli", "dev-cert", "--folder", certificates.toString());
    try (RunningServer server =
        RunningServer.start(
            home,
            environment,
            folder.resolve("data"),
            "--tls-cert=" + certificates.resolve("localhost.pem"),
            "--tls-key=" + certificates.resolve("localhost-key.pem"))) {
      Process suite =
          Dist.process(
                  Map.of(),
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Djavax.net.ssl.trustStore=" + trust(certificates.resolve("ca.pem")),
                  "-Djavax.net.ssl.trustStorePassword=" + PASSWORD,
                  "-jar",
                  System.getProperty("conformance.jar"),
                  "--service",
                  service,
                  "--endpoint",
                  server.address(service))
              .redirectErrorStream(true)
              .start();
      String said = new String(suite.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(suite.onExit().join().exitValue()).as(said).isZero();
      assertThat(said).containsPattern("(?m)^all +[1-9]\\d\\d+ +0 ");
    }
  }

  private Path trust(Path authority) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    try (InputStream pem = Files.newInputStream(authority)) {
      trusted.setCertificateEntry(
          "ca", CertificateFactory.getInstance("X.509").generateCertificate(pem));
    }
    Path file = folder.resolve("trust.p12");
    try (OutputStream out = Files.newOutputStream(file)) {
      trusted.store(out, PASSWORD.toCharArray());
    }
    return file;
  }
}
