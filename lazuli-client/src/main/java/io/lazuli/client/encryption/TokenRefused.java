package io.lazuli.client.encryption;

import org.jspecify.annotations.Nullable;

/** A sealed page token cannot be used. Answer with the first page, or with an error to the user. */
public final class TokenRefused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The reason for a refusal. It determines the message. */
  public enum Kind {
    /** The text is not a sealed token at all. */
    MALFORMED("The text is not a sealed page token"),
    /** The key of the token was retired, or is not an AES key. */
    UNKNOWN_KEY("The key of the page token is not known"),
    /** The text was changed, or it was sealed for another table, query or caller. */
    ALTERED("The page token was changed, or belongs to another table, query or caller"),
    /** The token is too old. */
    EXPIRED("The page token has expired");

    private final String text;

    Kind(String text) {
      this.text = text;
    }
  }

  private final Kind kind;

  TokenRefused(Kind kind, @Nullable Throwable cause) {
    super(kind.text, cause);
    this.kind = kind;
  }

  /** Returns the reason. */
  public Kind kind() {
    return kind;
  }
}
