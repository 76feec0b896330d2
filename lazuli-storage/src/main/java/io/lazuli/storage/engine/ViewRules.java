package io.lazuli.storage.engine;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Partition;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.Space;

/**
 * What a body may do to its partition, the same on every engine. Rows of catalogue partitions that
 * begin with a zero byte are the engine's own: reading one finds nothing, changing one is refused.
 */
public final class ViewRules {
  private ViewRules() {}

  /** True if the row is the engine's own and nobody above it may see it. */
  public static boolean isHidden(Space space, Bytes row) {
    return space.number() == 0 && row.length() > 0 && row.array()[0] == 0;
  }

  /** Refuses to change a row that is the engine's own. */
  public static void requireVisible(Partition partition, Bytes row) {
    if (isHidden(partition.space(), row)) {
      throw new IllegalArgumentException("rows that begin with 00 are the engine's own");
    }
  }

  /** Refuses to drop a space whose home is not this partition. */
  public static void requireHome(Partition partition, Space space) {
    if (partition.space().number() != 0 || !partition.equals(space.home())) {
      throw new IllegalArgumentException("a space is dropped in its home");
    }
  }

  /** Refuses a scan of more rows than a view shows. */
  public static void requireRowsMax(int rowsMax) {
    if (rowsMax < 0 || rowsMax > PartitionView.SCAN_ROWS_MAX) {
      throw new IllegalArgumentException("a view shows at most 10,000 rows in a scan");
    }
  }
}
