package io.lazuli.storage.hbase.reclaim;

import io.lazuli.storage.Bytes;
import java.util.List;

/** Where drops are recorded. Everything may be done twice; blocks. */
public interface DropLedger {
  /**
   * Some drops in the order of their keys.
   *
   * @param from the first key that counts
   * @return empty if there are none from there on
   */
  List<Drop> next(Bytes from, int max);

  /** Records how far a drop is. */
  void record(Drop drop);

  /** Forgets a drop: nothing is left of it. */
  void forget(Drop drop);
}
