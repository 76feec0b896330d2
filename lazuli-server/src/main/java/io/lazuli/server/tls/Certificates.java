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
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.security.auth.x500.X500Principal;

/**
 * Makes the two kinds of X.509 certificates that development needs (RFC 5280): an authority that is
 * constrained to loopback and one domain, and a server certificate that it signs. The JDK reads
 * certificates, but has no public API that makes them.
 */
final class Certificates {
  private static final byte[] SIGNED_BY = Der.sequence(Der.objectId("1.2.840.10045.4.3.2"));

  private static final String LOCALHOST = "localhost";
  private static final int COMMON_NAME_CHARS_MAX = 64;
  private static final String NAME_CONSTRAINTS = "2.5.29.30";

  private static final byte[] LOOPBACK4 = {127, 0, 0, 1};
  private static final byte[] LOOPBACK6 = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  private static final byte[] LOOPBACK4_NET = {127, 0, 0, 0, (byte) 255, 0, 0, 0};

  private static final int DNS_NAME = 2;
  private static final int IP_ADDRESS = 7;
  private static final byte DIGITAL_SIGNATURE = (byte) 0x80;
  private static final byte SIGNS_CERTIFICATES = 0x04;

  private Certificates() {}

  /**
   * Returns a self-signed certificate that may sign servers with loopback names and names below a
   * domain only.
   */
  static byte[] authority(
      KeyPair pair,
      X500Principal name,
      String domain,
      BigInteger serial,
      Instant from,
      Instant until)
      throws GeneralSecurityException {
    byte[] noFurtherAuthorities = Der.sequence(Der.isTrue(), Der.integer(BigInteger.ZERO));
    byte[] extensions =
        Der.sequence(
            extension("2.5.29.19", true, noFurtherAuthorities),
            extension("2.5.29.15", true, Der.bits(new byte[] {SIGNS_CERTIFICATES}, 2)),
            extension("2.5.29.14", false, Der.octets(keyId(pair.getPublic()))),
            extension(NAME_CONSTRAINTS, true, onlyLoopbackAnd(domain)));
    byte[] named = named(serial, name, name, from, until, pair.getPublic());
    return signed(named, extensions, pair.getPrivate());
  }

  /** Returns whether certificates of an authority may have the names below a domain. */
  static boolean permits(X509Certificate authority, String domain) {
    byte[] constraints = authority.getExtensionValue(NAME_CONSTRAINTS);
    if (constraints == null) {
      return true;
    }
    String written = new String(constraints, StandardCharsets.ISO_8859_1);
    for (String name = domain; ; name = name.substring(name.indexOf('.') + 1)) {
      if (written.contains(new String(dnsName(name), StandardCharsets.ISO_8859_1))) {
        return true;
      }
      if (name.indexOf('.') < 0) {
        return false;
      }
    }
  }

  /** Returns a certificate for a server on this machine, and for the hosts of a domain. */
  static byte[] server(
      PublicKey key, String domain, Signer signer, BigInteger serial, Instant from, Instant until)
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
            extension("2.5.29.17", false, alternativeNames(domain)));
    byte[] named =
        named(
            serial,
            signer.certificate().getSubjectX500Principal(),
            new X500Principal(
                "CN=" + (domain.length() > COMMON_NAME_CHARS_MAX ? LOCALHOST : domain)),
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

  /** Returns the names of this machine, and those of accounts, which are below the domain. */
  private static byte[] alternativeNames(String domain) {
    List<byte[]> names = new ArrayList<>();
    names.add(dnsName(LOCALHOST));
    if (!domain.equals(LOCALHOST)) {
      names.add(dnsName(domain));
    }
    for (String service : List.of("blob", "queue", "table")) {
      names.add(dnsName("*." + service + "." + domain));
    }
    names.add(Der.tagged(IP_ADDRESS, false, LOOPBACK4));
    names.add(Der.tagged(IP_ADDRESS, false, LOOPBACK6));
    return Der.sequence(names.toArray(new byte[0][]));
  }

  /** Returns the name constraints: the names that certificates of this authority may have. */
  private static byte[] onlyLoopbackAnd(String domain) {
    byte[] onlyItself = new byte[16];
    Arrays.fill(onlyItself, (byte) 255);
    byte[] names = Der.sequence(dnsName(LOCALHOST));
    if (!domain.equals(LOCALHOST)) {
      names = concat(names, Der.sequence(dnsName(domain)));
    }
    return Der.sequence(
        Der.tagged(
            0,
            true,
            names,
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
