package io.lazuli.server.blob.page;

import java.util.List;

/**
 * Extents that one write cleared as a whole, because they are too many for rows of their own.
 *
 * @param write the number of the write
 */
public record ClearedRange(ExtentRange extents, long write) {
  /**
   * Returns the number of the first write of a list that cleared an extent after an earlier write.
   * Returns {@link Long#MAX_VALUE} if there is none.
   */
  public static long after(List<ClearedRange> clears, long extent, long write) {
    long first = Long.MAX_VALUE;
    for (ClearedRange clear : clears) {
      if (clear.write() > write && clear.extents().contains(extent)) {
        first = Math.min(first, clear.write());
      }
    }
    return first;
  }
}
