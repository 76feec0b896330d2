package io.lazuli.server.identity;

import com.nimbusds.jwt.JWT;
import com.nimbusds.jwt.JWTParser;
import java.text.ParseException;
import java.util.Base64;

/** Parses tokens. Only the one spelling of each token is accepted. */
final class TokenForm {
  /** The most characters of a token: less than the head of a request may have. */
  static final int TOKEN_CHARS_MAX = 16 << 10;

  private static final int PARTS = 3;

  private TokenForm() {}

  /**
   * Parses a token. Nothing is verified.
   *
   * @throws TokenException if it is not a token in the compact form
   */
  static JWT parse(String token) throws TokenException {
    if (token.length() > TOKEN_CHARS_MAX) {
      throw new TokenException("The token is too large.");
    }
    String[] parts = token.split("\\.", -1);
    if (parts.length != PARTS) {
      throw new TokenException(TokenException.FORM);
    }
    for (String part : parts) {
      requireCanonical(part);
    }
    try {
      JWT parsed = JWTParser.parse(token);
      // Both throw if the text is not what it claims to be.
      if (parsed.getJWTClaimsSet() == null || parsed.getHeader() == null) {
        throw new TokenException(TokenException.FORM);
      }
      return parsed;
    } catch (ParseException | RuntimeException e) {
      throw new TokenException(TokenException.FORM);
    }
  }

  /**
   * Refuses characters that the library would skip, and bits that it would ignore: otherwise a
   * changed text could count as the same token.
   */
  private static void requireCanonical(String part) throws TokenException {
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(part);
      if (!Base64.getUrlEncoder().withoutPadding().encodeToString(bytes).equals(part)) {
        throw new TokenException(TokenException.FORM);
      }
    } catch (IllegalArgumentException e) {
      throw new TokenException(TokenException.FORM);
    }
  }
}
