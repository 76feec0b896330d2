package io.lazuli.server.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Certificates of a local authority, and clients that trust it, for tests. */
public final class TlsCertificates {
  private TlsCertificates() {}

  /** Makes an authority and a certificate in a folder. */
  public static LocalAuthority issue(Path folder) {
    return issue(folder, "localhost");
  }

  /** Makes an authority and a certificate for a domain in a folder. */
  public static LocalAuthority issue(Path folder, String domain) {
    LocalAuthority authority =
        new LocalAuthority(folder, domain, new SecureRandom(), Instant.now());
    try {
      authority.issue();
    } catch (TlsException e) {
      throw new IllegalStateException(e);
    }
    return authority;
  }

  /** Returns an identity with an RSA key, certified by the authority. */
  public static TlsIdentity withRsaKey(LocalAuthority authority) throws Exception {
    TlsIdentity ca =
        TlsIdentity.ofPem(
            Files.readAllBytes(authority.certificate()), Files.readAllBytes(authority.key()));
    KeyPair pair = RsaKey.PAIR;
    Instant now = Instant.now();
    byte[] certificate =
        Certificates.server(
            pair.getPublic(),
            "localhost",
            new Signer(ca.certificate(), ca.key()),
            BigInteger.TEN,
            now,
            now.plusSeconds(86_400));
    return TlsIdentity.ofPem(
        new Pem("CERTIFICATE", certificate).text().getBytes(StandardCharsets.US_ASCII),
        new Pem("PRIVATE KEY", pair.getPrivate().getEncoded())
            .text()
            .getBytes(StandardCharsets.US_ASCII));
  }

  /** Holds a key that is made once, when the first test needs it. */
  private static final class RsaKey {
    static final KeyPair PAIR = make();

    private static KeyPair make() {
      try {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        return generator.generateKeyPair();
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  static X509Certificate of(byte[] pem) {
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(pem));
    } catch (CertificateException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the context of a client that trusts only this authority. */
  public static SSLContext trusting(Path authority) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setCertificateEntry("ca", of(Files.readAllBytes(authority)));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
