package io.lazuli.server.blob.transaction;

import io.lazuli.server.blob.model.BlockPlace;
import io.lazuli.server.blob.partition.BlobView;
import io.lazuli.server.blob.partition.NewContent;
import io.lazuli.server.error.Invariant;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Writes bytes that nothing names yet: the first part of a copy. The result is their places, in the
 * same order.
 */
public record BytesBody(List<byte[]> records) implements TransactionBody<List<BlockPlace>> {
  /**
   * The maximum number of bytes in one transaction, so that it does not hold up the commit lane.
   */
  public static final int BYTES_MAX = 1 << 20;

  /**
   * The maximum number of records in one transaction. Keeps a transaction below 1,000 rows, which
   * is our own limit; a record counts twice, because its row is read and written.
   */
  public static final int RECORDS_MAX = 400;

  public BytesBody {
    Invariant.check(records.size() <= RECORDS_MAX, "too many rows in a transaction");
  }

  @Override
  public List<BlockPlace> run(PartitionView partition) {
    BlobView view = new BlobView(partition);
    List<BlockPlace> places = new ArrayList<>(records.size());
    long number = view.newTicks();
    for (byte[] bytes : records) {
      BlockPlace place = Objects.requireNonNull(view.store(NewContent.ofBytes(bytes), number));
      places.add(place);
      number = place.number() + 1;
    }
    return places;
  }

  @Override
  public long weightBytes() {
    return records.stream().mapToLong(bytes -> bytes.length).sum();
  }
}
