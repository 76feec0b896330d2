package io.lazuli.server.tls;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A block of a PEM file (RFC 7468).
 *
 * @param label the text after BEGIN
 * @param isEncrypted true if the header marks an older key that is protected by a password
 */
record Pem(String label, byte[] der, boolean isEncrypted) {
  /** Older keys may have a header (RFC 1421), whose lines contain colons. */
  private static final Pattern KEY =
      Pattern.compile(
          "-----BEGIN ([A-Z ]*PRIVATE KEY)-----\\s*((?:[^-:\\n]+(?:-[^-:\\n]+)*:[^\\n]*\\n)*)"
              + "([^-]*)-----END ");

  private static final Pattern CERTIFICATE =
      Pattern.compile("-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----");

  Pem(String label, byte[] der) {
    this(label, der, false);
  }

  /** Returns whether a file is a PEM file. */
  static boolean is(byte[] file) {
    return text(file).contains("-----BEGIN ");
  }

  /** Returns the first private key of a file; null if there is none. */
  static @Nullable Pem findKey(byte[] file) {
    Matcher block = KEY.matcher(text(file));
    if (!block.find()) {
      return null;
    }
    try {
      byte[] der = Base64.getMimeDecoder().decode(block.group(3).strip());
      return new Pem(block.group(1), der, block.group(2).contains("ENCRYPTED"));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /**
   * Returns only the certificates of a file, because the JDK would try to read every other block as
   * a certificate.
   */
  static byte[] certificates(byte[] file) {
    StringBuilder all = new StringBuilder();
    Matcher block = CERTIFICATE.matcher(text(file));
    while (block.find()) {
      all.append(block.group()).append('\n');
    }
    return all.toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  String text() {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n";
  }

  private static String text(byte[] file) {
    return new String(file, StandardCharsets.ISO_8859_1);
  }
}
