package io.lazuli.server.blob.request;

/**
 * A state of a blob that a request names: a snapshot or a version (blob-features 3.3). The current
 * version has a name, too.
 *
 * @param ticks the time that names the state
 */
public record NamedState(Kind kind, long ticks) {
  /** What a state is. */
  public enum Kind {
    SNAPSHOT,
    VERSION
  }

  public static NamedState snapshot(long ticks) {
    return new NamedState(Kind.SNAPSHOT, ticks);
  }

  public static NamedState version(long ticks) {
    return new NamedState(Kind.VERSION, ticks);
  }

  public boolean isSnapshot() {
    return kind == Kind.SNAPSHOT;
  }
}
