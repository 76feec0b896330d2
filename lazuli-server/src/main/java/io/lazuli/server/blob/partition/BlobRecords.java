package io.lazuli.server.blob.partition;

import io.lazuli.server.blob.encoding.BlobPropertiesCodec;
import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.encoding.BlockSegmentCodec;
import io.lazuli.server.blob.encoding.UncommittedBlockCodec;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.Block;
import io.lazuli.server.blob.model.BlockId;
import io.lazuli.server.blob.model.UncommittedBlock;
import io.lazuli.server.blob.request.ByteRange;
import io.lazuli.server.blob.request.NamedState;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.LentRecord;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Position;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.Visit;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads the rows of one blob's partition outside of the commit lane. */
public final class BlobRecords {
  private static final byte[] LEFT_OUT = new byte[0];

  private final StorageEngine engine;
  private final Partition partition;
  private final Deadline deadline;

  public BlobRecords(StorageEngine engine, Partition partition, Deadline deadline) {
    this.engine = engine;
    this.partition = partition;
    this.deadline = deadline;
  }

  public Partition partition() {
    return partition;
  }

  public CompletableFuture<byte @Nullable []> propertiesRecord() {
    return engine.read(partition.row(BlobRows.PROPERTIES), deadline);
  }

  /** Finds the blob, even if nothing of it is committed. An expired blob is not found. */
  public CompletableFuture<@Nullable BlobProperties> find() {
    return find(null);
  }

  /**
   * Finds the blob, one of its snapshots or one of its versions.
   *
   * @param state null for the blob itself
   */
  public CompletableFuture<@Nullable BlobProperties> find(@Nullable NamedState state) {
    if (state != null && state.isSnapshot()) {
      return findSnapshot(state.ticks());
    }
    CompletableFuture<byte @Nullable []> found =
        state == null ? propertiesRecord() : versionRecord(state.ticks());
    return found.<@Nullable BlobProperties>thenApply(
        record -> record == null ? null : visible(BlobPropertiesCodec.decode(record)));
  }

  /**
   * Finds a snapshot. It is gone from the expiry of its blob on, which only the blob knows
   * (blob-features 4.3). A protected snapshot keeps its blob.
   */
  private CompletableFuture<@Nullable BlobProperties> findSnapshot(long ticks) {
    return engine
        .read(partition.row(BlobRows.snapshot(ticks)), deadline)
        .<byte @Nullable [], @Nullable BlobProperties>thenCombine(
            propertiesRecord(),
            (record, base) -> {
              BlobProperties snapshot = record == null ? null : BlobPropertiesCodec.decode(record);
              return snapshot == null || snapshot.changeRefusal() != null || isVisible(base)
                  ? snapshot
                  : null;
            });
  }

  private boolean isVisible(byte @Nullable [] base) {
    return base == null
        || !BlobPropertiesCodec.hasOptional(base)
        || visible(BlobPropertiesCodec.decode(base)) != null;
  }

  private @Nullable BlobProperties visible(BlobProperties found) {
    boolean expires = found.optional().expiryTicks() != 0;
    return expires && found.optional().isExpired(engine.now()) ? null : found;
  }

  /** Finds a previous version. The current version is not found. */
  public CompletableFuture<@Nullable BlobProperties> findPrevious(long ticks) {
    return engine
        .read(partition.row(BlobRows.version(ticks)), deadline)
        .<@Nullable BlobProperties>thenApply(
            record -> record == null ? null : BlobPropertiesCodec.decode(record));
  }

  /** Returns the record of a version, which may be the current one. */
  private CompletableFuture<byte @Nullable []> versionRecord(long ticks) {
    return propertiesRecord()
        .<byte @Nullable []>thenCompose(
            current ->
                current != null
                        && BlobPropertiesCodec.decode(current).optional().versionTicks() == ticks
                    ? CompletableFuture.<byte @Nullable []>completedFuture(current)
                    : engine.read(partition.row(BlobRows.version(ticks)), deadline));
  }

  /** Returns the blocks of a blob or snapshot, in order. */
  public CompletableFuture<List<Block>> blocks(BlobProperties blob) {
    return segments(blob)
        .thenApply(
            segments ->
                segments.stream()
                    .flatMap(segment -> BlockSegmentCodec.decode(segment).stream())
                    .toList());
  }

  /** Returns the blocks of a blob or snapshot as they are stored. */
  public CompletableFuture<List<byte[]>> segments(BlobProperties blob) {
    List<byte[]> segments = new ArrayList<>();
    long version = blob.content().version();
    long length = blob.content().length();
    return scanWhile(
            BlobRows.segments(version),
            BlobRows.segment(version, length),
            record -> segments.add(record.value().copy()))
        .thenApply(scanned -> segments);
  }

  /** Returns the uncommitted blocks of a blob, in the order of their ids. */
  public CompletableFuture<SortedMap<Bytes, UncommittedBlock>> uncommitted(BlobProperties blob) {
    SortedMap<Bytes, UncommittedBlock> blocks = new TreeMap<>();
    return visitUncommitted(blob, (id, block) -> blocks.put(id.bytes(), block))
        .thenApply(visited -> blocks);
  }

  /** Passes the uncommitted blocks of a blob to a visitor, in the order of their ids. */
  public CompletableFuture<@Nullable Void> visitUncommitted(
      BlobProperties blob, BiConsumer<BlockId, UncommittedBlock> visitor) {
    long upload = blob.upload().number();
    if (upload == 0) {
      return CompletableFuture.completedFuture(null);
    }
    return scanWhile(
        BlobRows.upload(upload),
        BlobRows.uploadEnd(upload),
        record -> {
          visitor.accept(
              BlobRows.blockId(row(record)), UncommittedBlockCodec.decode(record.value().copy()));
          return true;
        });
  }

  /**
   * Returns the first pieces of a range. Seeks back to the segment in which the range begins and
   * reads on from there. Returns an empty list if nothing of the range is left.
   *
   * @param max stops after the segment that reaches this number of pieces
   */
  public CompletableFuture<List<ContentPiece>> pieces(long version, ByteRange range, int max) {
    List<ContentPiece> pieces = new ArrayList<>();
    Bytes end = BlobRows.segment(version, range.to()).successor();
    return firstSegment(version, range.from())
        .thenCompose(
            first ->
                scanWhile(
                    first,
                    end,
                    record -> {
                      long start = BlobRows.segmentStart(row(record));
                      List<Block> blocks = BlockSegmentCodec.decode(record.value().copy());
                      pieces.addAll(ContentPiece.of(start, blocks, range));
                      return pieces.size() < max;
                    }))
        .thenApply(scanned -> pieces);
  }

  /** Returns the bytes that a record holds. */
  public CompletableFuture<byte[]> bytes(long number) {
    return content(BlobRows.bytes(number));
  }

  /** Returns the bytes of pages that a record holds. */
  public CompletableFuture<byte[]> pageBytes(long number) {
    return content(BlobRows.pageBytes(number));
  }

  private CompletableFuture<byte[]> content(Bytes row) {
    return engine
        .read(partition.row(row), deadline)
        .thenApply(
            bytes -> {
              if (bytes == null) {
                throw new StorageException(
                    StorageException.Kind.CORRUPT, "content of a blob is missing");
              }
              return bytes;
            });
  }

  /**
   * Passes the rows of the partition and their values to a visitor: all of them, except that rows
   * of pages are passed over as {@link BlobRows#afterAlike} says. The value of a {@code BYTES} row
   * is left out.
   *
   * @param from the first row
   */
  public CompletableFuture<@Nullable Void> visit(Bytes from, BiConsumer<Bytes, byte[]> visitor) {
    return scan(
        from,
        null,
        record -> {
          Bytes row = row(record);
          boolean isBytes = BlobRows.kind(row) == BlobRows.Kind.BYTES;
          visitor.accept(row, isBytes ? LEFT_OUT : record.value().copy());
          Bytes next = BlobRows.afterAlike(row);
          return next == null ? Visit.CONTINUE : Visit.skipTo(new Position(partition.name(), next));
        });
  }

  /** Passes the rows between two keys to a visitor. */
  public CompletableFuture<@Nullable Void> scan(
      Bytes from, @Nullable Bytes to, RecordVisitor visitor) {
    KeyRange range = range(from, to);
    return range.isEmpty()
        ? CompletableFuture.completedFuture(null)
        : engine.scan(partition.space(), List.of(range), Direction.FORWARD, deadline, visitor);
  }

  /** Returns whether there is a row with the given key. */
  public CompletableFuture<Boolean> has(Bytes row) {
    return engine.read(partition.row(row), deadline).thenApply(record -> record != null);
  }

  private CompletableFuture<Bytes> firstSegment(long version, long offset) {
    Bytes[] first = {BlobRows.segments(version)};
    return engine
        .scan(
            partition.space(),
            List.of(range(first[0], BlobRows.segment(version, offset).successor())),
            Direction.BACKWARD,
            deadline,
            RecordVisitor.ofFirst(
                1,
                record -> {
                  first[0] = row(record);
                  return Visit.STOP;
                }))
        .thenApply(scanned -> first[0]);
  }

  private CompletableFuture<@Nullable Void> scanWhile(
      Bytes from, @Nullable Bytes to, Predicate<LentRecord> visitor) {
    return scan(from, to, record -> visitor.test(record) ? Visit.CONTINUE : Visit.STOP);
  }

  private KeyRange range(Bytes from, @Nullable Bytes to) {
    Bytes name = partition.name();
    Position end = to == null ? Position.endOf(name) : new Position(name, to);
    return new KeyRange(new Position(name, from), end);
  }

  private static Bytes row(LentRecord record) {
    return Bytes.of(record.row().copy());
  }
}
