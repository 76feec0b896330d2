package io.lazuli.server.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalAuthorityTest {
  private static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");

  @TempDir Path folder;

  @Test
  void theCertificateIsOneOfTheAuthorityForLoopbackNames() throws Exception {
    LocalAuthority authority = authority(NOW);
    assertThat(authority.issue()).isTrue();
    X509Certificate ca = read(authority.certificate());
    X509Certificate server = read(authority.serverCertificate());
    validate(ca, server);
    assertThat(server.getSubjectAlternativeNames())
        .extracting(name -> (Object) name.get(1))
        .containsExactly(
            "localhost",
            "*.blob.localhost",
            "*.queue.localhost",
            "*.table.localhost",
            "127.0.0.1",
            "0:0:0:0:0:0:0:1");
    assertThat(server.getBasicConstraints()).isEqualTo(-1);
    assertThat(server.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
    assertThat(server.getNotBefore().toInstant()).isBefore(NOW);
    assertThat(Duration.between(NOW, server.getNotAfter().toInstant()).toDays())
        .isBetween(700L, 825L);
    assertThat(ca.getBasicConstraints()).isZero();
    assertThat(ca.getCriticalExtensionOIDs()).contains("2.5.29.30");
  }

  @Test
  void aCertificateForADomainIsForTheHostsOfItsAccounts() throws Exception {
    LocalAuthority authority = authority("storage.test", NOW);
    authority.issue();
    assertThat(authority.serverCertificate()).hasFileName("storage.test.pem");
    X509Certificate server = read(authority.serverCertificate());
    validate(read(authority.certificate()), server);
    assertThat(server.getSubjectAlternativeNames())
        .extracting(name -> (Object) name.get(1))
        .containsExactly(
            "localhost",
            "storage.test",
            "*.blob.storage.test",
            "*.queue.storage.test",
            "*.table.storage.test",
            "127.0.0.1",
            "0:0:0:0:0:0:0:1");
  }

  @Test
  void anAuthorityVouchesOnlyForDomainsBelowThoseOfItsConstraint() throws Exception {
    authority("storage.test", NOW).issue();
    for (String below : List.of("storage.test", "a.storage.test", "localhost", "a.localhost")) {
      LocalAuthority authority = authority(below, NOW);
      assertThat(authority.issue()).as(below).isFalse();
      validate(read(authority.certificate()), read(authority.serverCertificate()));
    }
    for (String other : List.of("test", "mystorage.test", "storage.test.example", "host")) {
      assertThatThrownBy(() -> authority(other, NOW).issue())
          .as(other)
          .isInstanceOf(TlsException.class)
          .hasMessageContaining("cannot vouch for " + other + ";");
    }
  }

  private static void validate(X509Certificate ca, X509Certificate server) throws Exception {
    PKIXParameters trusting = new PKIXParameters(Set.of(new TrustAnchor(ca, null)));
    trusting.setRevocationEnabled(false);
    trusting.setDate(Date.from(NOW));
    CertPathValidator.getInstance("PKIX")
        .validate(
            CertificateFactory.getInstance("X.509").generateCertPath(List.of(server)), trusting);
  }

  @Test
  void anExistingAuthorityIsKeptAndTheCertificateRenewed() throws Exception {
    LocalAuthority authority = authority(NOW);
    authority.issue();
    X509Certificate ca = read(authority.certificate());
    X509Certificate server = read(authority.serverCertificate());
    assertThat(authority(NOW.plus(Duration.ofDays(700))).issue()).isFalse();
    assertThat(read(authority.certificate())).isEqualTo(ca);
    X509Certificate renewed = read(authority.serverCertificate());
    assertThat(renewed.getSerialNumber()).isNotEqualTo(server.getSerialNumber());
    assertThat(renewed.getNotAfter()).isAfter(server.getNotAfter());
    renewed.verify(ca.getPublicKey());
  }

  @Test
  void noCertificateOutlivesItsAuthority() throws Exception {
    LocalAuthority authority = authority(NOW);
    authority.issue();
    authority(NOW.plus(Duration.ofDays(3600))).issue();
    assertThat(read(authority.serverCertificate()).getNotAfter())
        .isEqualTo(read(authority.certificate()).getNotAfter());
    assertThatThrownBy(() -> authority(NOW.plus(Duration.ofDays(3700))).issue())
        .isInstanceOf(TlsException.class)
        .hasMessageContaining("expired at");
  }

  @Test
  void timesBeyondTheCenturyAreWrittenWithFourDigits() throws Exception {
    LocalAuthority authority = authority(Instant.parse("2049-06-01T00:00:00Z"));
    authority.issue();
    assertThat(read(authority.certificate()).getNotAfter().toInstant())
        .isEqualTo("2059-05-30T00:00:00Z");
  }

  @Test
  void keysAreForTheirOwnerAlone() throws Exception {
    LocalAuthority authority = authority(NOW);
    authority.issue();
    for (Path key : List.of(authority.key(), authority.serverKey())) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
          .isEqualTo("rw-------");
    }
  }

  @Test
  void halfAnAuthorityIsRefused() throws Exception {
    LocalAuthority authority = authority(NOW);
    authority.issue();
    Files.delete(authority.key());
    assertThatThrownBy(authority::issue)
        .isInstanceOf(TlsException.class)
        .hasMessageContaining("only one of ca.pem and ca-key.pem");
  }

  private LocalAuthority authority(Instant now) {
    return authority("localhost", now);
  }

  private LocalAuthority authority(String domain, Instant now) {
    return new LocalAuthority(folder.resolve("certs"), domain, new SecureRandom(), now);
  }

  private static X509Certificate read(Path file) throws IOException, TlsException {
    return TlsCertificates.of(Files.readAllBytes(file));
  }
}
