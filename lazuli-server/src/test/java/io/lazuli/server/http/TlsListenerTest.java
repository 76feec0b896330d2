package io.lazuli.server.http;

import static io.lazuli.server.http.EchoService.HEAD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.server.WatchedLog;
import io.lazuli.server.tls.LocalAuthority;
import io.lazuli.server.tls.TlsCertificates;
import io.lazuli.server.tls.TlsException;
import io.lazuli.server.tls.TlsIdentity;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TlsListenerTest {
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration SHORT = Duration.ofMillis(300);

  @TempDir Path folder;
  private LocalAuthority authority;
  private EchoService service;
  private final WatchedLog log = new WatchedLog();

  @BeforeEach
  void makeCertificate() {
    authority = TlsCertificates.issue(folder);
  }

  @AfterEach
  void close() {
    service.close();
    log.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void bothVersionsOfTlsAreSpoken(String version) throws Exception {
    start(LONG, LONG);
    try (SSLSocket socket = connect()) {
      socket.setEnabledProtocols(new String[] {version});
      RawConnection connection = new RawConnection(socket);
      assertThat(connection.ask("GET /acct/a" + HEAD + "\r\n").body()).startsWith("GET\n/acct/a");
      assertThat(connection.ask("GET /acct/b" + HEAD + "\r\n").body()).startsWith("GET\n/acct/b");
      assertThat(socket.getSession().getProtocol()).isEqualTo(version);
    }
  }

  @Test
  void modernSuitesAreOffered() throws Exception {
    start(LONG, LONG);
    for (String suite :
        List.of(
            "TLS_AES_256_GCM_SHA384",
            "TLS_AES_128_GCM_SHA256",
            "TLS_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256")) {
      try (SSLSocket socket = connect()) {
        socket.setEnabledCipherSuites(new String[] {suite});
        assertThat(new RawConnection(socket).ask("GET /acct/a" + HEAD + "\r\n").status())
            .isEqualTo(200);
        assertThat(socket.getSession().getCipherSuite()).isEqualTo(suite);
      }
    }
  }

  @Test
  void oldSuitesAreRefused() throws Exception {
    start(LONG, LONG);
    for (String suite :
        List.of(
            "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384",
            "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA",
            "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA")) {
      assertRefused(suite);
    }
    assertThat(log.faults()).isEmpty();
  }

  @Test
  void aCertificateWithAnRsaKeyHasModernSuitesToo() throws Exception {
    service = EchoService.secured(TlsCertificates.withRsaKey(authority), LONG, LONG);
    for (String suite :
        List.of(
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256")) {
      try (SSLSocket socket = connect()) {
        socket.setEnabledCipherSuites(new String[] {suite});
        socket.startHandshake();
        assertThat(socket.getSession().getCipherSuite()).isEqualTo(suite);
      }
    }
    for (String suite :
        List.of(
            "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA",
            "TLS_DHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_RSA_WITH_AES_128_CBC_SHA")) {
      assertRefused(suite);
    }
  }

  private void assertRefused(String suite) throws Exception {
    try (SSLSocket socket = connect()) {
      socket.setEnabledProtocols(new String[] {"TLSv1.2"});
      socket.setEnabledCipherSuites(new String[] {suite});
      assertThatThrownBy(socket::startHandshake).as(suite).isInstanceOf(SSLException.class);
    }
  }

  @Test
  void aClientThatAsksForHttp2IsServedHttp1() throws Exception {
    start(LONG, LONG);
    try (SSLSocket socket = connect()) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setApplicationProtocols(new String[] {"h2", "http/1.1"});
      socket.setSSLParameters(parameters);
      assertThat(new RawConnection(socket).ask("GET /acct/a" + HEAD + "\r\n").status())
          .isEqualTo(200);
      assertThat(socket.getApplicationProtocol()).isEmpty();
    }
  }

  @Test
  void anAbsoluteTargetMayNameHttps() throws Exception {
    start(LONG, LONG);
    try (SSLSocket socket = connect()) {
      assertThat(
              new RawConnection(socket)
                  .ask("GET https://127.0.0.1/acct/a?x" + HEAD + "\r\n")
                  .body())
          .startsWith("GET\n/acct/a|x");
    }
  }

  @Test
  void aPlainHttpClientIsCutOffAndNothingIsLogged() throws Exception {
    start(LONG, LONG);
    try (RawConnection plain = service.connect()) {
      plain.send("GET /acct/a" + HEAD + "\r\n");
      plain.bytes(64);
      assertThat(plain.isClosedByServer()).isTrue();
    }
    try (RawConnection gone = service.connect()) {
      gone.send(new byte[] {22, 3, 1, 0});
    }
    try (SSLSocket distrusting = untrusting()) {
      assertThatThrownBy(distrusting::startHandshake).isInstanceOf(SSLException.class);
    }
    try (SSLSocket served = connect()) {
      assertThat(new RawConnection(served).ask("GET /acct/a" + HEAD + "\r\n").status())
          .isEqualTo(200);
    }
    assertThat(log.faults()).isEmpty();
  }

  @Test
  void aHandshakeThatNeverEndsIsCutOff() throws Exception {
    start(LONG, SHORT);
    try (RawConnection silent = service.connect()) {
      assertThat(silent.isClosedByServer()).isTrue();
    }
    try (RawConnection halting = service.connect()) {
      halting.send(new byte[] {22, 3, 1, 0, 100, 1});
      halting.bytes(64);
      assertThat(halting.isClosedByServer()).isTrue();
    }
    assertThat(log.faults()).isEmpty();
  }

  @Test
  void aHeadThatDoesNotComeAfterTheHandshakeIsCutOff() throws Exception {
    start(SHORT, LONG);
    try (SSLSocket socket = connect()) {
      RawConnection connection = new RawConnection(socket);
      connection.send("GET /acct/a");
      assertThat(connection.isClosedByServer()).isTrue();
    }
  }

  private void start(Duration headTimeMax, Duration handshakeTimeMax)
      throws IOException, TlsException {
    TlsIdentity identity =
        TlsIdentity.ofPem(
            Files.readAllBytes(authority.serverCertificate()),
            Files.readAllBytes(authority.serverKey()));
    service = EchoService.secured(identity, headTimeMax, handshakeTimeMax);
  }

  private SSLSocket connect() throws IOException, GeneralSecurityException {
    return (SSLSocket)
        TlsCertificates.trusting(authority.certificate())
            .getSocketFactory()
            .createSocket(InetAddress.getLoopbackAddress(), service.listener.port());
  }

  private SSLSocket untrusting() throws IOException, GeneralSecurityException {
    LocalAuthority other = TlsCertificates.issue(folder.resolve("other"));
    return (SSLSocket)
        TlsCertificates.trusting(other.certificate())
            .getSocketFactory()
            .createSocket(InetAddress.getLoopbackAddress(), service.listener.port());
  }
}
