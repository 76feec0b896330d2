package io.lazuli.server.tls;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.security.auth.x500.X500Principal;

/**
 * Makes the two kinds of X.509 certificates that development needs (RFC 5280): an authority that is
 * constrained to loopback, and a server certificate that it signs. The JDK reads certificates, but
 * has no public API that makes them.
 */
final class Certificates {
  private static final byte[] SIGNED_BY = Der.sequence(Der.objectId("1.2.840.10045.4.3.2"));

  /** The names of a server on this machine, including host names that begin with an account. */
  private static final List<String> NAMES =
      List.of("localhost", "*.blob.localhost", "*.queue.localhost", "*.table.localhost");

  private static final byte[] LOOPBACK4 = {127, 0, 0, 1};
  private static final byte[] LOOPBACK6 = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  private static final byte[] LOOPBACK4_NET = {127, 0, 0, 0, (byte) 255, 0, 0, 0};

  private static final int DNS_NAME = 2;
  private static final int IP_ADDRESS = 7;
  private static final byte DIGITAL_SIGNATURE = (byte) 0x80;
  private static final byte SIGNS_CERTIFICATES = 0x04;

  private Certificates() {}

  /** Returns a self-signed certificate that may sign servers with loopback names only. */
  static byte[] authority(
      KeyPair pair, X500Principal name, BigInteger serial, Instant from, Instant until)
      throws GeneralSecurityException {
    byte[] noFurtherAuthorities = Der.sequence(Der.isTrue(), Der.integer(BigInteger.ZERO));
    byte[] extensions =
        Der.sequence(
            extension("2.5.29.19", true, noFurtherAuthorities),
            extension("2.5.29.15", true, Der.bits(new byte[] {SIGNS_CERTIFICATES}, 2)),
            extension("2.5.29.14", false, Der.octets(keyId(pair.getPublic()))),
            extension("2.5.29.30", true, loopbackOnly()));
    byte[] named = named(serial, name, name, from, until, pair.getPublic());
    return signed(named, extensions, pair.getPrivate());
  }

  /** Returns a certificate for a server on this machine. */
  static byte[] server(PublicKey key, Signer signer, BigInteger serial, Instant from, Instant until)
      throws GeneralSecurityException {
    byte[] extensions =
        Der.sequence(
            extension("2.5.29.19", true, Der.sequence()),
            extension("2.5.29.15", true, Der.bits(new byte[] {DIGITAL_SIGNATURE}, 7)),
            extension("2.5.29.37", false, Der.sequence(Der.objectId("1.3.6.1.5.5.7.3.1"))),
            extension("2.5.29.14", false, Der.octets(keyId(key))),
            extension(
                "2.5.29.35",
                false,
                Der.sequence(Der.tagged(0, false, keyId(signer.certificate().getPublicKey())))),
            extension("2.5.29.17", false, alternativeNames()));
    byte[] named =
        named(
            serial,
            signer.certificate().getSubjectX500Principal(),
            new X500Principal("CN=localhost"),
            from,
            until,
            key);
    return signed(named, extensions, signer.key());
  }

  /** Returns the fields of a certificate before its extensions. */
  private static byte[] named(
      BigInteger serial,
      X500Principal issuer,
      X500Principal subject,
      Instant from,
      Instant until,
      PublicKey key) {
    return concat(
        Der.tagged(0, true, Der.integer(BigInteger.TWO)),
        Der.integer(serial),
        SIGNED_BY,
        issuer.getEncoded(),
        Der.sequence(Der.time(from), Der.time(until)),
        subject.getEncoded(),
        key.getEncoded());
  }

  private static byte[] signed(byte[] named, byte[] extensions, PrivateKey key)
      throws GeneralSecurityException {
    byte[] content = Der.sequence(named, Der.tagged(3, true, extensions));
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(key);
    signature.update(content);
    return Der.sequence(content, SIGNED_BY, Der.bits(signature.sign(), 0));
  }

  private static byte[] extension(String id, boolean critical, byte[] value) {
    return critical
        ? Der.sequence(Der.objectId(id), Der.isTrue(), Der.octets(value))
        : Der.sequence(Der.objectId(id), Der.octets(value));
  }

  private static byte[] alternativeNames() {
    List<byte[]> names = new ArrayList<>();
    NAMES.forEach(name -> names.add(dnsName(name)));
    names.add(Der.tagged(IP_ADDRESS, false, LOOPBACK4));
    names.add(Der.tagged(IP_ADDRESS, false, LOOPBACK6));
    return Der.sequence(names.toArray(new byte[0][]));
  }

  /** Returns the name constraints: the names that certificates of this authority may have. */
  private static byte[] loopbackOnly() {
    byte[] onlyItself = new byte[16];
    Arrays.fill(onlyItself, (byte) 255);
    return Der.sequence(
        Der.tagged(
            0,
            true,
            Der.sequence(dnsName("localhost")),
            Der.sequence(Der.tagged(IP_ADDRESS, false, LOOPBACK4_NET)),
            Der.sequence(Der.tagged(IP_ADDRESS, false, LOOPBACK6, onlyItself))));
  }

  private static byte[] dnsName(String name) {
    return Der.tagged(DNS_NAME, false, name.getBytes(StandardCharsets.US_ASCII));
  }

  /** Returns 20 bytes that identify a key (RFC 7093). */
  private static byte[] keyId(PublicKey key) throws GeneralSecurityException {
    return Arrays.copyOf(MessageDigest.getInstance("SHA-256").digest(key.getEncoded()), 20);
  }

  private static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
