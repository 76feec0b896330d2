package io.lazuli.storage.work;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.RowVisitor;
import io.lazuli.storage.Space;
import io.lazuli.storage.TransactionBody;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Rows in a map, for simulations. */
class MapRows implements WorkRows {
  final NavigableMap<Bytes, byte[]> rows = new TreeMap<>();

  @Override
  public NavigableMap<Bytes, byte[]> all() {
    return new TreeMap<>(rows);
  }

  @Override
  public <R> R change(List<Bytes> touch, TransactionBody<R> body) {
    return body.run(new View());
  }

  /** The rows, which nobody else changes while a body runs. */
  private final class View implements PartitionView {
    @Override
    public int attempt() {
      return 1;
    }

    @Override
    public byte @Nullable [] read(Bytes row) {
      return rows.get(row);
    }

    @Override
    public void scan(Bytes from, @Nullable Bytes to, int rowsMax, RowVisitor visitor) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void put(Bytes row, byte[] value) {
      rows.put(row, value);
    }

    @Override
    public void delete(Bytes row) {
      rows.remove(row);
    }

    @Override
    public long timestamp(Bytes row) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void drop(Space space) {
      throw new UnsupportedOperationException();
    }
  }
}
