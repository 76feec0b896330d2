package io.lazuli.server.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.UnrecoverableKeyException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The identity of the server: a chain of certificates, beginning with the server's own, and the
 * private key of that certificate. The constructor's callers check that key and certificate belong
 * together.
 */
public final class TlsIdentity {
  private static final char[] NO_PASSWORD = new char[0];
  private static final byte[] PROBE = {1, 2, 3};

  private final List<X509Certificate> chain;
  private final PrivateKey key;

  private TlsIdentity(List<X509Certificate> chain, PrivateKey key) {
    this.chain = chain;
    this.key = key;
  }

  /**
   * Reads PEM: certificates, and a key in PKCS#8, PKCS#1 or SEC 1.
   *
   * @throws TlsException if the certificates or the key cannot be used
   */
  public static TlsIdentity ofPem(byte[] certificates, byte[] key) throws TlsException {
    List<X509Certificate> chain = certificates(certificates);
    Pem block = Pem.findKey(key);
    if (block == null) {
      throw new TlsException("there is no private key in the key file");
    }
    PublicKey ours = chain.get(0).getPublicKey();
    return new TlsIdentity(chain, privateKey(block, ours)).checked();
  }

  /**
   * Reads a PKCS#12 file (.pfx), as Windows exports it. Uses the first key in the file.
   *
   * @throws TlsException if the file cannot be used
   */
  public static TlsIdentity ofPkcs12(byte[] file, @Nullable String password) throws TlsException {
    char[] secret = password == null ? NO_PASSWORD : password.toCharArray();
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(new ByteArrayInputStream(file), secret);
      for (String alias : Collections.list(store.aliases())) {
        // An entry without certificates has no chain.
        Certificate @Nullable [] chain = store.getCertificateChain(alias);
        if (chain != null && store.getKey(alias, secret) instanceof PrivateKey key) {
          return new TlsIdentity(x509(List.of(chain)), key).checked();
        }
      }
      throw new TlsException("there is no private key with a certificate in the file");
    } catch (IOException e) {
      throw e.getCause() instanceof UnrecoverableKeyException
          ? new TlsException("the password of the file is wrong")
          : new TlsException("the file is neither PEM nor PKCS#12", e);
    } catch (GeneralSecurityException e) {
      throw new TlsException("the file cannot be used: " + e.getMessage(), e);
    }
  }

  /** Reads a file of either format that holds both the certificates and the key. */
  public static TlsIdentity ofOneFile(byte[] file, @Nullable String password) throws TlsException {
    return Pem.is(file) ? ofPem(file, file) : ofPkcs12(file, password);
  }

  /** Returns the server's own certificate. */
  public X509Certificate certificate() {
    return chain.get(0);
  }

  PrivateKey key() {
    return key;
  }

  /** Returns the identity in the form that Java's TLS needs. */
  public KeyManagerFactory keyManagers() {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry("server", key, NO_PASSWORD, chain.toArray(new Certificate[0]));
      KeyManagerFactory factory =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      factory.init(store, NO_PASSWORD);
      return factory;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("the key store in memory refused the key", e);
    }
  }

  private static List<X509Certificate> certificates(byte[] pem) throws TlsException {
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      List<X509Certificate> chain =
          x509(factory.generateCertificates(new ByteArrayInputStream(Pem.certificates(pem))));
      if (chain.isEmpty()) {
        throw new TlsException("there is no certificate in the certificate file");
      }
      return chain;
    } catch (CertificateException e) {
      throw new TlsException("the certificate file cannot be read: " + e.getMessage(), e);
    }
  }

  private static List<X509Certificate> x509(Iterable<? extends Certificate> certificates)
      throws TlsException {
    List<X509Certificate> chain = new ArrayList<>();
    for (Certificate certificate : certificates) {
      if (!(certificate instanceof X509Certificate x509)) {
        throw new TlsException("a certificate is not an X.509 certificate");
      }
      chain.add(x509);
    }
    return List.copyOf(chain);
  }

  /**
   * Reads a private key. Older forms do not name the key's algorithm in the usual place, or not at
   * all, so the algorithm of the certificate's public key is used.
   */
  private static PrivateKey privateKey(Pem block, PublicKey ours) throws TlsException {
    if (block.isEncrypted()) {
      throw unsupported(block.label() + " with a password");
    }
    byte[] pkcs8 =
        switch (block.label()) {
          case "PRIVATE KEY" -> block.der();
          case "RSA PRIVATE KEY", "EC PRIVATE KEY" ->
              Der.sequence(
                  Der.integer(BigInteger.ZERO),
                  Der.firstOf(ours.getEncoded()),
                  Der.octets(block.der()));
          default -> throw unsupported(block.label());
        };
    try {
      return KeyFactory.getInstance(ours.getAlgorithm())
          .generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
    } catch (GeneralSecurityException e) {
      throw new TlsException(
          "the key is damaged, or is not of the certificate's type " + ours.getAlgorithm(), e);
    }
  }

  private static TlsException unsupported(String kind) {
    return new TlsException(
        "the key is of type " + kind + "; use a PRIVATE KEY without a password");
  }

  /**
   * Signs some bytes and verifies the signature, to check that key and certificate belong together.
   */
  private TlsIdentity checked() throws TlsException {
    PublicKey open = certificate().getPublicKey();
    String algorithm =
        switch (open.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> open.getAlgorithm();
        };
    try {
      Signature signing = Signature.getInstance(algorithm);
      signing.initSign(key);
      signing.update(PROBE);
      byte[] signature = signing.sign();
      signing.initVerify(open);
      signing.update(PROBE);
      if (signing.verify(signature)) {
        return this;
      }
    } catch (InvalidKeyException e) {
      throw new TlsException("the key does not belong to the certificate", e);
    } catch (GeneralSecurityException e) {
      throw new TlsException("keys of type " + algorithm + " are not supported", e);
    }
    throw new TlsException("the key does not belong to the certificate");
  }
}
