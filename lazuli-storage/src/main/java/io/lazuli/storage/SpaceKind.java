package io.lazuli.storage;

/** The kind of data that a space holds. Its code is the top three bits of the space's number. */
public enum SpaceKind {
  CATALOGUE(0),
  TABLE(1),
  QUEUE(2),
  CONTAINER(3),
  CHUNKS(4),
  /** Stands for a name of another space; never holds records. */
  GATE(5);

  private final int code;

  SpaceKind(int code) {
    this.code = code;
  }

  public int code() {
    return code;
  }

  /** Returns the kind of the space with the given number. */
  public static SpaceKind of(long space) {
    return ofCode((int) (space >>> 60));
  }

  /** Returns the kind with the given code. */
  public static SpaceKind ofCode(int code) {
    if (code < 0 || code >= values().length) {
      throw new IllegalArgumentException("no such kind of space: " + code);
    }
    return values()[code];
  }
}
