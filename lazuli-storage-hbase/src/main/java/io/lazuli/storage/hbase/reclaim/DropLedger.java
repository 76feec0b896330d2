package io.lazuli.storage.hbase.reclaim;

import io.lazuli.storage.Bytes;
import java.util.List;

/** The record of all drops. All changes are idempotent. Blocks. */
public interface DropLedger {
  /**
   * Returns some drops in the order of their keys.
   *
   * @param from the first key to return
   * @return empty if there are no more drops
   */
  List<Drop> next(Bytes from, int max);

  /** Records the progress of a drop. */
  void record(Drop drop);

  /** Removes a drop that is complete. */
  void forget(Drop drop);
}
