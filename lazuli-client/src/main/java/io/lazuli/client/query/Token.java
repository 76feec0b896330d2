package io.lazuli.client.query;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Where a query goes on. It can be kept as text and used later, by another process too, with the
 * same query. Immutable.
 */
public final class Token {
  private static final String FORMAT = "1";

  private final String continuation;

  private Token(String continuation) {
    this.continuation = continuation;
  }

  /** Of what the official client calls a continuation token. */
  public static Token ofContinuation(String continuation) {
    return new Token(continuation);
  }

  /**
   * Of the text that {@link #text()} gave.
   *
   * @throws IllegalArgumentException if it is not such a text
   */
  public static Token parse(String text) {
    if (!text.startsWith(FORMAT)) {
      throw new IllegalArgumentException("not the text of a token");
    }
    byte[] bytes = Base64.getUrlDecoder().decode(text.substring(FORMAT.length()));
    return new Token(new String(bytes, StandardCharsets.UTF_8));
  }

  /** Letters, digits, {@code -} and {@code _} only, so that it can stand in a URL. */
  public String text() {
    byte[] bytes = continuation.getBytes(StandardCharsets.UTF_8);
    return FORMAT + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** What the official client calls a continuation token. */
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
