package io.lazuli.server.blob.page;

/**
 * A range of extents of one content.
 *
 * @param version the version of the content
 * @param from the index of the first extent
 * @param to the index after the last extent
 */
public record ExtentRange(long version, long from, long to) {
  /** Returns all extents of a version. */
  public static ExtentRange all(long version) {
    return new ExtentRange(version, 0, Long.MAX_VALUE);
  }

  public boolean contains(long extent) {
    return extent >= from && extent < to;
  }
}
