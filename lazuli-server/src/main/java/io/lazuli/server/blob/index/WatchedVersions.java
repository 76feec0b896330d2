package io.lazuli.server.blob.index;

import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.RowVisitor;
import io.lazuli.storage.Space;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The partition of a blob as a transaction sees it. Notes which previous versions the transaction
 * changes, and what they were before. Mutable, used for one run of a body.
 */
final class WatchedVersions implements PartitionView {
  private final PartitionView view;
  private final Map<Bytes, byte @Nullable []> before = new LinkedHashMap<>(0);

  WatchedVersions(PartitionView view) {
    this.view = view;
  }

  /** Returns the rows of versions that have changed, and their records before the transaction. */
  Map<Bytes, byte @Nullable []> before() {
    return before;
  }

  private void note(Bytes row) {
    if (BlobRows.isVersion(row) && !before.containsKey(row)) {
      before.put(row, view.read(row));
    }
  }

  @Override
  public void put(Bytes row, byte[] value) {
    note(row);
    view.put(row, value);
  }

  @Override
  public void delete(Bytes row) {
    note(row);
    view.delete(row);
  }

  @Override
  public int attempt() {
    return view.attempt();
  }

  @Override
  public byte @Nullable [] read(Bytes row) {
    return view.read(row);
  }

  @Override
  public void scan(Bytes from, @Nullable Bytes to, int rowsMax, RowVisitor visitor) {
    view.scan(from, to, rowsMax, visitor);
  }

  @Override
  public long timestamp(Bytes row) {
    return view.timestamp(row);
  }

  @Override
  public void drop(Space space) {
    view.drop(space);
  }
}
