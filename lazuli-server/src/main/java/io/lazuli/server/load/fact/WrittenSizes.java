package io.lazuli.server.load.fact;

/**
 * The sizes of bodies that wrote entities, per entity.
 *
 * @param large those over 256 KiB
 * @param largest the largest one
 */
public record WrittenSizes(long writes, long bytes, long large, long largest) {
  static final long LARGE_FROM = 256 << 10;

  static final WrittenSizes NONE = new WrittenSizes(0, 0, 0, 0);

  WrittenSizes plus(long count, long size) {
    return new WrittenSizes(
        writes + count,
        bytes + count * size,
        large + (size > LARGE_FROM ? count : 0),
        Math.max(largest, size));
  }
}
