package io.lazuli.server.recovery;

import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.encoding.IndexPartitions;
import io.lazuli.server.error.Futures;
import io.lazuli.server.queue.encoding.Fence;
import io.lazuli.server.queue.encoding.QueueRows;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.TransactionBody;
import io.lazuli.storage.Visit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Copies all records of a space from one store into a new space of another. The records of tables
 * and queues do not depend on their space. Those of a container refer to chunks, which {@link
 * ChunkCopies} copies. Belongs to one thread, which waits for both stores.
 *
 * <p>The rows that name content are copied before the content. In the opposite order, the collector
 * of the running server could take the content for garbage, because it is old and nothing names it.
 */
final class ItemCopy {
  private static final int BATCH_ROWS_MAX = 250;
  private static final long BATCH_BYTES_MAX = 1 << 20;

  /** The kinds of rows of a blob that name content. */
  private static final Set<BlobRows.Kind> NAMING =
      EnumSet.of(
          BlobRows.Kind.PROPERTIES,
          BlobRows.Kind.HISTORY,
          BlobRows.Kind.SNAPSHOT,
          BlobRows.Kind.VERSION,
          BlobRows.Kind.DELETED);

  private final StorageEngine from;
  private final Space source;
  private final StorageEngine to;
  private final Space target;
  private final Consumer<Long> copied;
  private final List<ChunkCopies.Row> batch = new ArrayList<>();
  private long batchBytes;
  private @Nullable Bytes partition;
  private @Nullable ChunkCopies chunks;

  /**
   * @param target a new space of the same kind
   * @param copied takes the number of bytes of each batch; may throw to end the copy
   */
  ItemCopy(
      StorageEngine from, Space source, StorageEngine to, Space target, Consumer<Long> copied) {
    this.from = from;
    this.source = source;
    this.to = to;
    this.target = target;
    this.copied = copied;
  }

  void run() {
    if (source.kind() == SpaceKind.CONTAINER) {
      pass(ItemCopy::isNaming);
      pass((name, row) -> !isNaming(name, row));
    } else if (source.kind() == SpaceKind.QUEUE && to.isShared()) {
      // The queue has its name already: a server that uses it must not pass over what comes later.
      if (replaceFence(Fence.HELD)) {
        throw new IllegalStateException("the new queue was used before the copy began");
      }
      pass((name, row) -> !row.equals(QueueRows.FENCE));
      boolean unused = replaceFence(Fence.NONE);
    } else {
      pass((name, row) -> true);
    }
  }

  /** Writes the fence of the new queue. Returns whether there was one before. */
  private boolean replaceFence(Fence fence) {
    return Futures.await(
        to.transact(
            QueueRows.partition(target),
            List.of(QueueRows.FENCE),
            Deadline.NEVER,
            view -> {
              byte[] before = view.read(QueueRows.FENCE);
              if (before == null || fence.equals(Fence.NONE)) {
                view.put(QueueRows.FENCE, fence.encode());
              }
              return before != null;
            }));
  }

  private static boolean isNaming(Bytes name, Bytes row) {
    return !isIndex(name) && NAMING.contains(BlobRows.kind(row));
  }

  static boolean isIndex(Bytes partition) {
    return partition.compareTo(IndexPartitions.END_OF_BLOBS.partition()) >= 0;
  }

  private void pass(BiPredicate<Bytes, Bytes> wanted) {
    Futures.await(
        from.scan(
            source,
            List.of(KeyRange.ALL),
            Direction.FORWARD,
            Deadline.NEVER,
            record -> {
              Bytes name = Bytes.of(record.partition().copy());
              Bytes current = partition;
              if (current == null || !name.equals(current)) {
                flush();
                partition = name;
                chunks = new ChunkCopies(from.chunks(), to.chunks(), new Partition(target, name));
              }
              Bytes row = Bytes.of(record.row().copy());
              if (wanted.test(name, row)) {
                add(row, record.value().copy());
              }
              return Visit.CONTINUE;
            }));
    flush();
    partition = null;
  }

  private void add(Bytes row, byte[] value) {
    Bytes name = partition;
    ChunkCopies copies = chunks;
    if (name == null || copies == null || name.equals(IndexPartitions.COPIES)) {
      // A copy that was pending at the time of the backup does not go on.
      return;
    }
    boolean hasChunks = source.kind() == SpaceKind.CONTAINER && !isIndex(name);
    ChunkCopies.Row moved = hasChunks ? copies.moved(row, value) : new ChunkCopies.Row(row, value);
    if (moved == null) {
      return;
    }
    batch.add(moved);
    batchBytes += moved.key().length() + moved.value().length;
    if (batch.size() == BATCH_ROWS_MAX || batchBytes >= BATCH_BYTES_MAX) {
      flush();
    }
  }

  private void flush() {
    Bytes name = partition;
    if (batch.isEmpty() || name == null) {
      return;
    }
    List<ChunkCopies.Row> rows = List.copyOf(batch);
    long weight = batchBytes;
    Futures.await(
        to.transact(
            new Partition(target, name),
            List.of(),
            Deadline.NEVER,
            new TransactionBody<Boolean>() {
              @Override
              public Boolean run(PartitionView view) {
                rows.forEach(row -> view.put(row.key(), row.value()));
                return true;
              }

              @Override
              public long weightBytes() {
                return weight;
              }
            }));
    copied.accept(weight);
    batch.clear();
    batchBytes = 0;
  }
}
