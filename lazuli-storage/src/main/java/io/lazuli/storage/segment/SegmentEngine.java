package io.lazuli.storage.segment;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.ChunkStore;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.EngineState;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.LentRecord;
import io.lazuli.storage.Partition;
import io.lazuli.storage.RecordKey;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.TransactionBody;
import io.lazuli.storage.Visit;
import io.lazuli.storage.engine.LocalCall;
import io.lazuli.storage.engine.ViewRules;
import io.lazuli.storage.keys.KeyCodec;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Shows the files of a cut in segments as an engine that is only read: whole spaces in order,
 * single records by a search, and chunks. Every other call fails. Blocks its callers.
 */
public final class SegmentEngine implements StorageEngine {
  private final SegmentSource source;
  private final FileChunks chunks;

  public SegmentEngine(SegmentSource source) {
    this.source = source;
    this.chunks = new FileChunks(source);
  }

  @Override
  public <R> CompletableFuture<R> transact(
      Partition partition, List<Bytes> touch, Deadline deadline, TransactionBody<R> body) {
    return CompletableFuture.failedFuture(refused());
  }

  @Override
  public CompletableFuture<byte @Nullable []> read(RecordKey key, Deadline deadline) {
    Space space = key.partition().space();
    byte[] wanted = KeyCodec.encode(key);
    return LocalCall.<byte @Nullable []>run(
        () -> {
          byte[][] found = new byte[1][];
          forEach(
              space,
              row -> {
                int order = Arrays.compareUnsigned(row.key(), wanted);
                if (order == 0 && !ViewRules.isHidden(space, key.row())) {
                  found[0] = row.value();
                }
                return order < 0;
              });
          return found[0];
        });
  }

  @Override
  public CompletableFuture<@Nullable Void> scan(
      Space space,
      List<KeyRange> ranges,
      Direction direction,
      Deadline deadline,
      RecordVisitor visitor) {
    if (!ranges.equals(List.of(KeyRange.ALL)) || direction != Direction.FORWARD) {
      return CompletableFuture.failedFuture(refused());
    }
    LentRecord record = new LentRecord();
    return LocalCall.<@Nullable Void>run(
        () -> {
          forEach(space, row -> show(space, row, record, visitor));
          return null;
        });
  }

  private static boolean show(
      Space space, SegmentRow row, LentRecord record, RecordVisitor visitor) {
    KeyCodec.lend(row.key(), row.key().length, record.partition(), record.row());
    if (ViewRules.isHidden(space, Bytes.of(record.row().copy()))) {
      return true;
    }
    record.value().lend(row.value(), 0, row.value().length);
    Visit answer = visitor.visit(record);
    if (answer.target() != null) {
      throw refused();
    }
    return answer != Visit.STOP;
  }

  /** Takes one record after another, until it returns false. */
  @FunctionalInterface
  private interface RowVisitor {
    boolean visit(SegmentRow row);
  }

  private void forEach(Space space, RowVisitor visitor) {
    try {
      source.forEach(
          space.number(),
          segment -> {
            SegmentReader rows = new SegmentReader(segment);
            for (SegmentRow row = rows.next(); row != null; row = rows.next()) {
              long found = KeyCodec.space(row.key());
              if (found > space.number() || (found == space.number() && !visitor.visit(row))) {
                return false;
              }
            }
            return true;
          });
    } catch (IOException e) {
      throw new StorageException(
          StorageException.Kind.UNAVAILABLE, "the segments cannot be read: " + e, e);
    }
  }

  @Override
  public CompletableFuture<Boolean> exists(Space space, Deadline deadline) {
    return CompletableFuture.completedFuture(true);
  }

  @Override
  public CompletableFuture<Long> newSpace(SpaceKind kind, Deadline deadline) {
    return CompletableFuture.failedFuture(refused());
  }

  @Override
  public long now() {
    throw refused();
  }

  @Override
  public ChunkStore chunks() {
    return chunks;
  }

  @Override
  public EngineState state() {
    return new EngineState(false, "only read");
  }

  static StorageException refused() {
    return new StorageException(
        StorageException.Kind.UNAVAILABLE, "the files of a cut are only read");
  }

  @Override
  public void close() {
    // The files belong to the caller.
  }
}
