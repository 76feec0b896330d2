package io.lazuli.storage.hbase.chunk;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.LentBytes;
import io.lazuli.storage.hbase.call.RegionCalls;
import io.lazuli.storage.hbase.call.Steps;
import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.keys.KeyCodec;
import io.lazuli.storage.keys.KeyInterval;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;

/**
 * The bytes of chunks, in cells of 1 MiB. Each cell is written once, and all cells of a chunk have
 * the same timestamp. Every 64 cells form a partition, so that a large chunk can span regions.
 * Never blocks. Thread-safe.
 */
final class ChunkCells {
  static final int CELL_BYTES = 1 << 20;

  private static final int CELLS_PER_PARTITION = 64;

  /** The collector removes what is left after that. */
  private static final Duration DISCARD_TIMEOUT = Duration.ofSeconds(5);

  private final RegionCalls calls;
  private final ChunkRows rows;

  ChunkCells(RegionCalls calls, ChunkRows rows) {
    this.calls = calls;
    this.rows = rows;
  }

  /** Returns a reader of the cells of a chunk. */
  PieceReader reader(ChunkRef ref) {
    return new PieceReader() {
      @Override
      public CompletableFuture<Optional<ByteBuffer>> read(long index) {
        return ChunkCells.this.read(ref, index);
      }

      @Override
      public void close() {
        // Nothing is open.
      }
    };
  }

  /** Returns a writer of the cells of a chunk. */
  PieceWriter writer(ChunkRef ref, long millis) {
    return new CellWriter(ref, millis);
  }

  /** Sends cells. The caller writes one after another; they may be under way at the same time. */
  private final class CellWriter implements PieceWriter {
    private final ChunkRef ref;
    private final long millis;
    private final AtomicLong sent = new AtomicLong();

    CellWriter(ChunkRef ref, long millis) {
      this.ref = ref;
      this.millis = millis;
    }

    @Override
    public CompletableFuture<Boolean> write(byte[] piece) {
      return ChunkCells.this.write(ref, sent.getAndIncrement(), millis, piece);
    }

    @Override
    public CompletableFuture<Boolean> end() {
      return CompletableFuture.completedFuture(true);
    }

    @Override
    public Bytes checksums() {
      return Bytes.EMPTY;
    }

    @Override
    public CompletableFuture<Boolean> discard() {
      return rows.deleteAll(
          LongStream.range(0, sent.get()).mapToObj(index -> delete(ref, index, millis)).toList(),
          Deadline.after(DISCARD_TIMEOUT));
    }
  }

  /** Returns how many cells the given number of bytes needs. */
  static long count(long length) {
    return (length + CELL_BYTES - 1) / CELL_BYTES;
  }

  /** Writes a cell until it is durable. The caller must not change the bytes any more. */
  private CompletableFuture<Boolean> write(ChunkRef ref, long index, long millis, byte[] bytes) {
    byte[] key = key(ref, index);
    Put put = rows.put(key, millis, bytes);
    return calls.repeat(
        StoreTable.CHUNKS,
        key,
        Deadline.after(ChunkRows.TIMEOUT),
        (remote, region) -> remote.put(put).thenApply(nothing -> true));
  }

  /** Reads a cell; empty if there is none. */
  private CompletableFuture<Optional<ByteBuffer>> read(ChunkRef ref, long index) {
    byte[] key = key(ref, index);
    return Steps.map(
        calls.read(
            StoreTable.CHUNKS,
            key,
            Deadline.after(ChunkRows.TIMEOUT),
            (remote, region) -> remote.get(ChunkRows.get(key))),
        ChunkCells::bytes);
  }

  /** Returns how many cells a chunk has, from the index of its last cell. */
  CompletableFuture<Long> count(ChunkRef ref, Deadline deadline) {
    return Steps.map(
        rows.lastKey(KeyInterval.ofSpace(ref.number()), deadline),
        last -> last.map(key -> index(key) + 1).orElse(0L));
  }

  /** Returns the mutation that removes a cell. */
  Delete delete(ChunkRef ref, long index, long millis) {
    return rows.delete(key(ref, index), millis);
  }

  private static Optional<ByteBuffer> bytes(Result result) {
    Cell cell = result.getColumnLatestCell(StoreTable.FAMILY, StoreTable.QUALIFIER);
    return cell == null
        ? Optional.empty()
        : Optional.of(
            ByteBuffer.wrap(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength())
                .slice());
  }

  static byte[] key(ChunkRef ref, long index) {
    return KeyCodec.encode(
        ref.number(), number(index / CELLS_PER_PARTITION), number(index % CELLS_PER_PARTITION));
  }

  private static long index(byte[] key) {
    LentBytes partition = new LentBytes();
    LentBytes row = new LentBytes();
    KeyCodec.lend(key, key.length, partition, row);
    return (long) number(partition) * CELLS_PER_PARTITION + number(row);
  }

  private static Bytes number(long number) {
    return Bytes.of(ByteBuffer.allocate(Integer.BYTES).putInt(Math.toIntExact(number)).array());
  }

  private static int number(LentBytes bytes) {
    return ByteBuffer.wrap(bytes.copy()).getInt();
  }
}
