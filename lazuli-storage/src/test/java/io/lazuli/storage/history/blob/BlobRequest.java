package io.lazuli.storage.history.blob;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.UUID;

/**
 * A request that may change a blob. A blob has two cells: the number of the write that made its
 * content, and its lease. A lease is the number of the request that acquired it, the negative
 * number once it is broken, or zero.
 *
 * @param number the number that is written as content, or that identifies an acquired lease; unique
 *     for its blob
 * @param expected the number of the content that the condition demands, {@link #ABSENT} or {@link
 *     #NONE}
 * @param etag the ETag of the condition, if it demands content
 * @param lease the lease that is used; zero for none
 */
public record BlobRequest(Verb verb, int number, int expected, String etag, int lease) {
  /** A condition that there is no blob. */
  public static final int ABSENT = -1;

  /** No condition. */
  public static final int NONE = 0;

  /** The number of content that nobody wrote. */
  public static final int DAMAGED = Integer.MAX_VALUE;

  static final int CONTENT = 0;
  static final int LEASE = 1;
  static final int CELLS = 2;

  private static final int LARGE_EVERY = 64;
  private static final int LARGE_TOKENS = 4_200;
  private static final int BLOCKS = 3;
  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;
  private static final int CONDITION_NOT_MET = 412;

  /** The operation. */
  public enum Verb {
    PUT,
    /** Stages three blocks and commits a list of them. */
    BLOCKS,
    DELETE,
    ACQUIRE,
    RELEASE,
    BREAK
  }

  /** Returns the content that the request writes: its number, repeated. */
  public byte[] content() {
    byte[] token = String.format(Locale.ROOT, "%015d;", number).getBytes(StandardCharsets.US_ASCII);
    byte[] content = new byte[token.length * tokens(number)];
    for (int at = 0; at < content.length; at += token.length) {
      System.arraycopy(token, 0, content, at, token.length);
    }
    return content;
  }

  /** Returns a part of the content, of three. */
  public byte[] block(int index) {
    byte[] content = content();
    int length = content.length / BLOCKS;
    return Arrays.copyOfRange(content, index * length, (index + 1) * length);
  }

  /** Returns how often the number is repeated. Some content is too large for a record. */
  private static int tokens(int number) {
    return BLOCKS * (number % LARGE_EVERY == 0 ? LARGE_TOKENS / BLOCKS : 1 + number % 5);
  }

  /**
   * Returns the number of the write that made this content.
   *
   * @return {@link #DAMAGED} if the content is not exactly that of one write
   */
  public static int number(byte[] content) {
    try {
      int number = Integer.parseInt(new String(content, 0, 15, StandardCharsets.US_ASCII));
      BlobRequest write = new BlobRequest(Verb.PUT, number, NONE, "", 0);
      return Arrays.equals(write.content(), content) ? number : DAMAGED;
    } catch (IndexOutOfBoundsException | NumberFormatException e) {
      return DAMAGED;
    }
  }

  /** Returns the id of a lease on the wire. */
  public static String leaseId(int lease) {
    return new UUID(0x4000L, 0x8000000000000000L | lease).toString();
  }

  boolean isOfALease() {
    return verb == Verb.ACQUIRE || verb == Verb.RELEASE || verb == Verb.BREAK;
  }

  /** Returns the status of the refusal in a state; zero if the request takes place. */
  int refusal(long content, long held) {
    return switch (verb) {
      case PUT, BLOCKS -> writeRefusal(content, held);
      case DELETE -> content == 0 ? NOT_FOUND : writeRefusal(content, held);
      case ACQUIRE -> content == 0 ? NOT_FOUND : held > 0 ? CONFLICT : 0;
      case RELEASE -> content == 0 ? NOT_FOUND : Math.abs(held) == lease ? 0 : CONFLICT;
      case BREAK -> content == 0 ? NOT_FOUND : held == 0 ? CONFLICT : 0;
    };
  }

  private int writeRefusal(long content, long held) {
    boolean passes = lease == 0 ? held <= 0 : held == lease;
    if (!passes) {
      return CONDITION_NOT_MET;
    } else if (expected == ABSENT) {
      return content == 0 ? 0 : CONFLICT;
    }
    return expected == NONE || expected == content ? 0 : CONDITION_NOT_MET;
  }

  long contentAfter(long content) {
    return switch (verb) {
      case PUT, BLOCKS -> number;
      case DELETE -> 0;
      case ACQUIRE, RELEASE, BREAK -> content;
    };
  }

  long leaseAfter(long held) {
    return switch (verb) {
      case PUT, BLOCKS -> Math.max(0, held);
      case DELETE, RELEASE -> 0;
      case ACQUIRE -> number;
      case BREAK -> -Math.abs(held);
    };
  }

  @Override
  public String toString() {
    String what =
        switch (verb) {
          case PUT, BLOCKS, ACQUIRE -> " " + number;
          case DELETE, RELEASE, BREAK -> "";
        };
    String condition =
        switch (expected) {
          case ABSENT -> " if absent";
          case NONE -> "";
          default -> " if " + expected;
        };
    String with = lease == 0 ? "" : " with lease " + lease;
    return verb.name().toLowerCase(Locale.ROOT) + what + condition + with;
  }
}
