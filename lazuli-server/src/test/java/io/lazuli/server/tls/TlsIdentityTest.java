package io.lazuli.server.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.PBEParameterSpec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TlsIdentityTest {
  private static final char[] PASSWORD = "open".toCharArray();

  /** One key for all tests, because generating one takes long. */
  private static final KeyPair RSA = rsa();

  @TempDir Path folder;
  private LocalAuthority authority;
  private Signer signer;

  @BeforeEach
  void makeAuthority() throws Exception {
    authority = TlsCertificates.issue(folder);
    TlsIdentity ca = TlsIdentity.ofPem(bytes(authority.certificate()), bytes(authority.key()));
    signer = new Signer(ca.certificate(), ca.key());
  }

  @ParameterizedTest
  @ValueSource(strings = {"RSA", "EC", "Ed25519"})
  void aKeyInPkcs8IsTaken(String algorithm) throws Exception {
    KeyPair pair =
        algorithm.equals("RSA") ? RSA : KeyPairGenerator.getInstance(algorithm).generateKeyPair();
    TlsIdentity identity =
        TlsIdentity.ofPem(certificate(pair), pem("PRIVATE KEY", pair.getPrivate().getEncoded()));
    assertThat(identity.certificate().getPublicKey()).isEqualTo(pair.getPublic());
    assertThat(identity.keyManagers().getKeyManagers()).hasSize(1);
  }

  @Test
  void anRsaKeyInPkcs1IsTaken() throws Exception {
    KeyPair pair = RSA;
    RSAPrivateCrtKey key = (RSAPrivateCrtKey) pair.getPrivate();
    byte[] pkcs1 =
        Der.sequence(
            Der.integer(BigInteger.ZERO),
            Der.integer(key.getModulus()),
            Der.integer(key.getPublicExponent()),
            Der.integer(key.getPrivateExponent()),
            Der.integer(key.getPrimeP()),
            Der.integer(key.getPrimeQ()),
            Der.integer(key.getPrimeExponentP()),
            Der.integer(key.getPrimeExponentQ()),
            Der.integer(key.getCrtCoefficient()));
    assertThat(TlsIdentity.ofPem(certificate(pair), pem("RSA PRIVATE KEY", pkcs1)).key())
        .isEqualTo(key);
  }

  @Test
  void anEllipticKeyInSec1IsTaken() throws Exception {
    KeyPairGenerator pairs = KeyPairGenerator.getInstance("EC");
    pairs.initialize(256);
    KeyPair pair = pairs.generateKeyPair();
    ECPrivateKey key = (ECPrivateKey) pair.getPrivate();
    byte[] number = new byte[32];
    byte[] value = key.getS().toByteArray();
    int from = value.length > 32 ? 1 : 0;
    System.arraycopy(value, from, number, 32 - value.length + from, value.length - from);
    byte[] sec1 =
        Der.sequence(
            Der.integer(BigInteger.ONE),
            Der.octets(number),
            Der.tagged(0, true, Der.objectId("1.2.840.10045.3.1.7")));
    byte[] file =
        ("-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n"
                + new Pem("EC PRIVATE KEY", sec1).text())
            .getBytes(StandardCharsets.US_ASCII);
    TlsIdentity identity = TlsIdentity.ofPem(certificate(pair), file);
    assertThat(((ECPrivateKey) identity.key()).getS()).isEqualTo(key.getS());
  }

  @Test
  void certificatesOfTheChainFollowTheServersOwn() throws Exception {
    byte[] both =
        (Files.readString(authority.serverCertificate())
                + "some words\n"
                + Files.readString(authority.certificate())
                + Files.readString(authority.serverKey()))
            .getBytes(StandardCharsets.US_ASCII);
    TlsIdentity identity = TlsIdentity.ofOneFile(both, null);
    assertThat(identity.certificate())
        .isEqualTo(TlsCertificates.of(bytes(authority.serverCertificate())));
    assertThatThrownBy(
            () -> TlsIdentity.ofPem(bytes(authority.certificate()), bytes(authority.serverKey())))
        .hasMessage("the key does not belong to the certificate");
  }

  @Test
  void aPfxIsOpenedByItsPassword() throws Exception {
    KeyPair pair = RSA;
    byte[] file = pfx(pair.getPrivate(), TlsCertificates.of(certificate(pair)));
    assertThat(TlsIdentity.ofOneFile(file, "open").key()).isEqualTo(pair.getPrivate());
    assertThatThrownBy(() -> TlsIdentity.ofOneFile(file, "wrong"))
        .hasMessage("the password of the file is wrong");
    assertThatThrownBy(() -> TlsIdentity.ofOneFile(file, null)).isInstanceOf(TlsException.class);
  }

  @Test
  void aPfxWhoseKeyHasNoCertificateIsRefused() throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry("1", locked(RSA.getPrivate()), null);
    store.setCertificateEntry("2", TlsCertificates.of(certificate(RSA)));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    store.store(out, PASSWORD);
    assertThatThrownBy(() -> TlsIdentity.ofOneFile(out.toByteArray(), "open"))
        .hasMessage("there is no private key with a certificate in the file");
  }

  @Test
  void anOlderKeyWithAPasswordIsNamed() throws Exception {
    String head = "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,1F3A\n\n";
    for (String lineEnd : List.of("\n", "\r\n")) {
      String locked =
          new Pem("RSA PRIVATE KEY", new byte[9])
              .text()
              .replaceFirst("\n", "\n" + head)
              .replace("\n", lineEnd);
      byte[] file = locked.getBytes(StandardCharsets.US_ASCII);
      assertThatThrownBy(() -> TlsIdentity.ofPem(certificate(RSA), file))
          .isInstanceOf(TlsException.class)
          .hasMessage(
              "the key is of type RSA PRIVATE KEY with a password; use a PRIVATE KEY without a password");
    }
  }

  @Test
  void aMissingKeyOrCertificateIsReported() throws Exception {
    byte[] certificate = bytes(authority.serverCertificate());
    byte[] key = bytes(authority.serverKey());
    assertThatThrownBy(() -> TlsIdentity.ofPem(key, key))
        .hasMessage("there is no certificate in the certificate file");
    assertThatThrownBy(() -> TlsIdentity.ofPem(certificate, certificate))
        .hasMessage("there is no private key in the key file");
    byte[] locked = pem("ENCRYPTED PRIVATE KEY", new byte[9]);
    assertThatThrownBy(() -> TlsIdentity.ofPem(certificate, locked))
        .hasMessageContaining("ENCRYPTED PRIVATE KEY");
    byte[] other = pem("PRIVATE KEY", RSA.getPrivate().getEncoded());
    assertThatThrownBy(() -> TlsIdentity.ofPem(certificate, other))
        .hasMessageContaining("not of the certificate's type EC");
    assertThatThrownBy(() -> TlsIdentity.ofOneFile(new byte[100], null))
        .hasMessage("the file is neither PEM nor PKCS#12");
  }

  /** A server that watches its files may read them half written. */
  @Test
  void damagedFilesAreRefusedInOneWay() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<byte[]> files =
        List.of(
            (Files.readString(authority.serverCertificate())
                    + Files.readString(authority.serverKey()))
                .getBytes(StandardCharsets.US_ASCII),
            pfx(RSA.getPrivate(), TlsCertificates.of(certificate(RSA))));
    for (int round = 0; round < 400; round++) {
      byte[] file = files.get(round % 40 == 0 ? 1 : 0);
      byte[] damaged = Arrays.copyOf(file, random.nextInt(file.length));
      if (damaged.length > 0 && random.nextBoolean()) {
        damaged = file.clone();
        damaged[random.nextInt(file.length)] = (byte) random.nextInt(256);
      }
      byte[] given = damaged;
      try {
        assertThat(TlsIdentity.ofOneFile(given, "open").key()).isNotNull();
      } catch (TlsException refused) {
        assertThat(refused).as("seed %d, round %d", seed, round).hasMessageNotContaining("\n");
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + seed + ", round " + round, e);
      }
    }
  }

  private static KeyPair rsa() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      return generator.generateKeyPair();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private byte[] certificate(KeyPair pair) throws Exception {
    Instant now = Instant.now();
    return pem(
        "CERTIFICATE",
        Certificates.server(
            pair.getPublic(), "localhost", signer, BigInteger.TEN, now, now.plusSeconds(86_400)));
  }

  private static byte[] pfx(PrivateKey key, Certificate certificate) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry("1", key, PASSWORD, new Certificate[] {certificate});
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    store.store(out, PASSWORD);
    return out.toByteArray();
  }

  private static byte[] locked(PrivateKey key) throws Exception {
    String algorithm = "PBEWithSHA1AndDESede";
    SecretKey secret =
        SecretKeyFactory.getInstance(algorithm).generateSecret(new PBEKeySpec(PASSWORD));
    Cipher cipher = Cipher.getInstance(algorithm);
    cipher.init(Cipher.ENCRYPT_MODE, secret, new PBEParameterSpec(new byte[8], 1_000));
    byte[] bytes = cipher.doFinal(key.getEncoded());
    return new EncryptedPrivateKeyInfo(cipher.getParameters(), bytes).getEncoded();
  }

  private static byte[] pem(String label, byte[] der) {
    return new Pem(label, der).text().getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] bytes(Path file) throws Exception {
    return Files.readAllBytes(file);
  }
}
