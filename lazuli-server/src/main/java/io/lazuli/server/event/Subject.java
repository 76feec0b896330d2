package io.lazuli.server.event;

import org.jspecify.annotations.Nullable;

/**
 * Who sent a request, as the server has verified it. It contains nothing secret.
 *
 * @param key the number of the account's key that signed; 0 for none
 * @param name the stored access policy of a signature, or the user of the console
 * @param issuer the issuer of a token, or of the token of the maker of a signature
 * @param object the object id in this token
 * @param application the application in this token
 * @param subject the subject in this token
 */
public record Subject(
    Kind kind,
    int key,
    @Nullable String name,
    @Nullable String issuer,
    @Nullable String object,
    @Nullable String application,
    @Nullable String subject) {
  /** What proved who sent the request. */
  public enum Kind {
    KEY("key"),
    ACCOUNT_SAS("account sas"),
    SERVICE_SAS("service sas"),
    DELEGATION_SAS("user delegation sas"),
    TOKEN("token"),
    CONSOLE("console"),
    COMMAND_LINE("command line");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    /** Returns the word in audit lines. */
    public String word() {
      return word;
    }
  }

  /** A command of somebody who can read the data folder. */
  public static final Subject COMMAND_LINE = of(Kind.COMMAND_LINE, 0, null);

  private static final Subject FIRST_KEY = of(Kind.KEY, 1, null);
  private static final Subject SECOND_KEY = of(Kind.KEY, 2, null);

  /** Returns the sender of a request that an account key signed. */
  public static Subject ofKey(int number) {
    return number == 1 ? FIRST_KEY : number == 2 ? SECOND_KEY : of(Kind.KEY, number, null);
  }

  /**
   * Returns the sender of a request with a signature that an account key signed.
   *
   * @param policy the stored access policy; null for none
   */
  public static Subject ofSas(Kind kind, int key, @Nullable String policy) {
    return of(kind, key, policy);
  }

  public static Subject ofUser(String name) {
    return of(Kind.CONSOLE, 0, name);
  }

  private static Subject of(Kind kind, int key, @Nullable String name) {
    return new Subject(kind, key, name, null, null, null, null);
  }
}
