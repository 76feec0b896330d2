package io.lazuli.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpClient;
import com.azure.core.http.netty.NettyAsyncHttpClientBuilder;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;

/**
 * The certificate files that {@code lazuli dev-cert} of the packed server wrote to a folder.
 *
 * @param said the output of the command
 */
public record DevCert(Path folder, String said) {

  static DevCert make(Path parent) throws IOException {
    return make(AccountUnderTest.serverJar(), parent);
  }

  /** Runs the command of a packed server. */
  public static DevCert make(Path jar, Path parent) throws IOException {
    Path folder = parent.resolve("certs");
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    Process process =
        new ProcessBuilder(
                List.of(
                    java.toString(),
                    "-jar",
                    jar.toString(),
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

  public Path certificate() {
    return folder.resolve("localhost.pem");
  }

  public Path key() {
    return folder.resolve("localhost-key.pem");
  }

  /** Returns an HTTP client for the official clients that trusts the certificate. */
  HttpClient trusting() {
    return trusting(reactor.netty.http.client.HttpClient.create());
  }

  /** Like {@link #trusting()}, based on another client. */
  HttpClient trusting(reactor.netty.http.client.HttpClient base) {
    try {
      SslContext context = SslContextBuilder.forClient().trustManager(authority().toFile()).build();
      return new NettyAsyncHttpClientBuilder(base.secure(settings -> settings.sslContext(context)))
          .build();
    } catch (SSLException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a new TLS context that trusts the certificate. It has no sessions to resume. */
  public SSLContext context() {
    try (InputStream pem = Files.newInputStream(authority())) {
      KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
      trusted.load(null, null);
      trusted.setCertificateEntry(
          "ca", CertificateFactory.getInstance("X.509").generateCertificate(pem));
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  ServerProcess startServer(Path parent, String... more) {
    List<String> options = new ArrayList<>(List.of(more));
    options.addAll(List.of("--tls-cert", certificate().toString(), "--tls-key", key().toString()));
    return ServerProcess.startWith(
        AccountUnderTest.serverJar(), parent.resolve("server"), options.toArray(String[]::new));
  }
}
