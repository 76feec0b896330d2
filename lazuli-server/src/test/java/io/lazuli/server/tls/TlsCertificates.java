package io.lazuli.server.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
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
    LocalAuthority authority = new LocalAuthority(folder, new SecureRandom(), Instant.now());
    try {
      authority.issue();
    } catch (TlsException e) {
      throw new IllegalStateException(e);
    }
    return authority;
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
