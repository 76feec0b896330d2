package io.lazuli.server.auth;

import io.lazuli.server.account.Account;
import io.lazuli.server.account.AccountKey;
import io.lazuli.server.event.MaskedText;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares a signature with the signatures that the keys of an account produce, in constant time.
 */
final class Signature {
  private static final Logger LOG = LoggerFactory.getLogger(Signature.class);

  /** The headers whose whole value is a secret. */
  private static final Pattern SECRET_HEADER =
      Pattern.compile("(x-ms-(?:source-)?encryption-key:|x-ms-copy-source-authorization:)[^\n]*");

  private Signature() {}

  /**
   * Returns the number of the key that signed the text, beginning with 1; 0 if none did.
   *
   * @param charset the charset in which the text is signed
   */
  static int key(String stringToSign, Charset charset, Account account, String given) {
    if (LOG.isDebugEnabled()) {
      LOG.debug("string to sign: {}", shown(stringToSign));
    }
    byte[] message = stringToSign.getBytes(charset);
    byte[] signature = given.getBytes(StandardCharsets.ISO_8859_1);
    int number = 0;
    for (AccountKey key : account.keys()) {
      number++;
      byte[] expected = Base64.getEncoder().encode(key.sign(message));
      if (MessageDigest.isEqual(expected, signature)) {
        return number;
      }
    }
    return 0;
  }

  /** Returns whether a user delegation key signed the text. */
  static boolean fits(String stringToSign, byte[] key, String given) {
    byte[] message = stringToSign.getBytes(StandardCharsets.UTF_8);
    byte[] expected =
        Base64.getEncoder()
            .encode(new AccountKey(Base64.getEncoder().encodeToString(key)).sign(message));
    return MessageDigest.isEqual(expected, given.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Signs a text with the first key. */
  static String of(String stringToSign, Account account) {
    byte[] message = stringToSign.getBytes(StandardCharsets.UTF_8);
    return Base64.getEncoder().encodeToString(account.keys().get(0).sign(message));
  }

  /**
   * Returns the text on one line, so that a request's path cannot look like other lines of the log.
   * Hides signatures and keys, because a reader of the log could use them: blobs and queues sign
   * all parameters and the headers of a copy, and a token may be among them.
   */
  private static String shown(String stringToSign) {
    return SECRET_HEADER
        .matcher(MaskedText.of(stringToSign))
        .replaceAll("$1(hidden)")
        .replace("\n", "\\n")
        .replace("\r", "\\r");
  }
}
