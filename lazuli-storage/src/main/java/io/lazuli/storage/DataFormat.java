package io.lazuli.storage;

/**
 * The numbers of data formats. A number covers everything that a store holds, on every engine. It
 * is raised only by a change that older versions cannot read. A version reads all formats up to its
 * newest one, and writes only what the format of the store allows ({@link StorageEngine#format}).
 */
public final class DataFormat {
  /** The first format. */
  public static final int FIRST = 1;

  /**
   * Format 2 added optional parts to the records of blobs, and partitions of containers that are
   * indexes.
   */
  private static final int NEWEST = 2;

  private DataFormat() {}

  /** Returns the newest format that this version reads and writes. */
  public static int newest() {
    return NEWEST;
  }
}
