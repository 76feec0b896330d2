package io.lazuli.storage.hbase.chunk;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.LentBytes;
import io.lazuli.storage.hbase.call.RegionCalls;
import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.keys.KeyCodec;
import io.lazuli.storage.keys.KeyInterval;
import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of chunks: cells of 1 MiB, each written once, all of a chunk with the same time. Every
 * 64 cells are a partition, so that a large chunk is not tied to one region. Safe for any number of
 * threads.
 */
final class ChunkCells {
  static final int CELL_BYTES = 1 << 20;

  private static final int CELLS_PER_PARTITION = 64;

  private final RegionCalls calls;
  private final ChunkRows rows;

  ChunkCells(RegionCalls calls, ChunkRows rows) {
    this.calls = calls;
    this.rows = rows;
  }

  /** How many cells hold that many bytes. */
  static long count(long length) {
    return (length + CELL_BYTES - 1) / CELL_BYTES;
  }

  /** Begins to write a cell; the bytes belong to the call from now on. */
  RegionCalls.PendingCall<Boolean> send(ChunkRef ref, long index, long millis, byte[] bytes) {
    byte[] key = key(ref, index);
    Put put = rows.put(key, millis, bytes);
    return calls.begin(
        StoreTable.CHUNKS, key, (remote, region) -> remote.put(put).thenApply(nothing -> true));
  }

  /** Waits until a cell is durable. */
  void finish(RegionCalls.PendingCall<Boolean> sent) {
    calls.finish(sent, Deadline.after(ChunkRows.TIMEOUT));
  }

  /** Begins to read a cell, from a server that may not be the one that has it. */
  RegionCalls.PendingCall<Result> fetch(ChunkRef ref, long index) {
    byte[] key = key(ref, index);
    return calls.begin(StoreTable.CHUNKS, key, (remote, region) -> remote.get(ChunkRows.get(key)));
  }

  /** What was fetched; null if that failed, or nothing was there as far as that server knows. */
  @Nullable ByteBuffer fetched(RegionCalls.PendingCall<Result> pending) {
    return calls.outcome(pending).map(ChunkCells::bytes).orElse(null);
  }

  /** Reads a cell; null if it is not there. */
  @Nullable ByteBuffer read(ChunkRef ref, long index) {
    byte[] key = key(ref, index);
    Deadline deadline = Deadline.after(ChunkRows.TIMEOUT);
    return bytes(
        calls.read(
            StoreTable.CHUNKS, key, deadline, (remote, region) -> remote.get(ChunkRows.get(key))));
  }

  /** How many cells a chunk has, if none is missing. */
  long count(ChunkRef ref, Deadline deadline) {
    byte[] last = rows.lastKey(KeyInterval.ofSpace(ref.number()), deadline);
    return last == null ? 0 : index(last) + 1;
  }

  /** What removes a cell. */
  Delete delete(ChunkRef ref, long index, long millis) {
    return rows.delete(key(ref, index), millis);
  }

  private static @Nullable ByteBuffer bytes(Result result) {
    Cell cell = result.getColumnLatestCell(StoreTable.FAMILY, StoreTable.QUALIFIER);
    return cell == null
        ? null
        : ByteBuffer.wrap(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength())
            .slice();
  }

  private static byte[] key(ChunkRef ref, long index) {
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
