package io.lazuli.storage.engine;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Partition;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.Space;

/**
 * The rules for the changes that a body may make to its partition. They are the same on every
 * engine. In catalogue partitions, rows that begin with a zero byte belong to the engine: reading
 * such a row finds nothing, and changing it throws.
 */
public final class ViewRules {
  private ViewRules() {}

  /** Returns true if the row belongs to the engine and must not be shown. */
  public static boolean isHidden(Space space, Bytes row) {
    return space.number() == 0 && row.length() > 0 && row.array()[0] == 0;
  }

  /** Throws if the row belongs to the engine. */
  public static void requireVisible(Partition partition, Bytes row) {
    if (isHidden(partition.space(), row)) {
      throw new IllegalArgumentException("rows that begin with 00 belong to the engine");
    }
  }

  /** Throws unless the partition is the home of the space. */
  public static void requireHome(Partition partition, Space space) {
    if (partition.space().number() != 0 || !partition.equals(space.home())) {
      throw new IllegalArgumentException("a space can be dropped only in its home");
    }
  }

  /** Throws if a scan asks for more rows than a view shows. */
  public static void requireRowsMax(int rowsMax) {
    if (rowsMax < 0 || rowsMax > PartitionView.SCAN_ROWS_MAX) {
      throw new IllegalArgumentException("a view shows at most 10,000 rows in a scan");
    }
  }
}
