package io.lazuli.client.query;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * The position where a query continues. It can be stored as text and used later, also by another
 * process, with the same query. Immutable.
 */
public final class Token {
  private static final String FORMAT = "1";

  private final String continuation;

  private Token(String continuation) {
    this.continuation = continuation;
  }

  /** Wraps a continuation token of the official client. */
  public static Token ofContinuation(String continuation) {
    return new Token(continuation);
  }

  /**
   * Parses the result of {@link #text()}.
   *
   * @throws IllegalArgumentException if the text is not a token
   */
  public static Token parse(String text) {
    if (!text.startsWith(FORMAT)) {
      throw new IllegalArgumentException("the text is not a token");
    }
    byte[] bytes = Base64.getUrlDecoder().decode(text.substring(FORMAT.length()));
    return new Token(new String(bytes, StandardCharsets.UTF_8));
  }

  /**
   * Returns this token as text. It contains only letters, digits, {@code -} and {@code _}, so that
   * it can be part of a URL.
   */
  public String text() {
    byte[] bytes = continuation.getBytes(StandardCharsets.UTF_8);
    return FORMAT + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** Returns the continuation token of the official client. */
  public String continuation() {
    return continuation;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Token token && continuation.equals(token.continuation);
  }

  @Override
  public int hashCode() {
    return continuation.hashCode();
  }

  @Override
  public String toString() {
    return text();
  }
}
