package io.lazuli.server.backup;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** The names of objects in a backup: the SHA-256 of their content, in hexadecimal digits. */
final class Sha256 {
  private static final Pattern NAME = Pattern.compile("[0-9a-f]{64}");

  private Sha256() {}

  static MessageDigest begin() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** Ends a digest and returns the name. */
  static String name(MessageDigest digest) {
    return HexFormat.of().formatHex(digest.digest());
  }

  static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  /** Returns the text if it is a name; a name becomes part of a path, so no other text may pass. */
  static String requireName(String text) {
    if (!isName(text)) {
      throw new IllegalArgumentException("not a SHA-256: " + text);
    }
    return text;
  }
}
