package io.lazuli.storage.hbase.commit;

import io.lazuli.storage.Bytes;
import java.util.Collection;
import java.util.List;

/**
 * What the engine knows about the rows of a transaction before its body runs.
 *
 * @param touch rows that the body will probably read; they are fetched in one call
 * @param probablyAbsent rows that probably do not exist; they need not be fetched
 */
record RowHints(List<Bytes> touch, Collection<Bytes> probablyAbsent) {
  static final RowHints NONE = new RowHints(List.of(), List.of());
}
