package io.lazuli.storage.history.table;

/**
 * A write of one row. A row has the property {@code a}, which inserts and replacements write, and
 * the property {@code b}, which merges write too. Both are numbers of writes. The content of a row
 * is one cell: {@code a} above {@code b}, or zero if there is no row.
 *
 * @param number the number that is written; unique in its partition
 * @param expected the number in {@code b} that the condition demands, {@link #ANY} or {@link #NONE}
 * @param etag the ETag of the condition; empty if there is none
 */
public record TableWrite(Verb verb, int row, int number, int expected, String etag) {
  /** A condition that every row meets. */
  public static final int ANY = -1;

  /** No condition. */
  public static final int NONE = 0;

  private static final int NOT_FOUND = 404;
  private static final int CONFLICT = 409;
  private static final int CONDITION_NOT_MET = 412;

  /** The operation. */
  public enum Verb {
    INSERT,
    REPLACE,
    MERGE,
    DELETE
  }

  public static int a(long cell) {
    return (int) (cell >>> Integer.SIZE);
  }

  public static int b(long cell) {
    return (int) cell;
  }

  public static long cell(int a, int b) {
    return ((long) a << Integer.SIZE) | b;
  }

  /** Returns the status of the refusal in this state of the row; zero if the write takes place. */
  int refusal(long cell) {
    if (verb == Verb.INSERT) {
      return cell == 0 ? 0 : CONFLICT;
    } else if (expected == NONE) {
      return 0;
    } else if (cell == 0) {
      return NOT_FOUND;
    }
    return expected == ANY || expected == b(cell) ? 0 : CONDITION_NOT_MET;
  }

  /** Returns the row after the write. */
  long after(long cell) {
    return switch (verb) {
      case INSERT, REPLACE -> cell(number, number);
      case MERGE -> cell(a(cell), number);
      case DELETE -> 0;
    };
  }

  @Override
  public String toString() {
    String condition =
        switch (expected) {
          case ANY -> " if it exists";
          case NONE -> "";
          default -> " if b=" + expected;
        };
    String content =
        switch (verb) {
          case INSERT, REPLACE -> " a=b=" + number;
          case MERGE -> " b=" + number;
          case DELETE -> "";
        };
    return verb.name().toLowerCase(java.util.Locale.ROOT) + " r" + row + content + condition;
  }
}
