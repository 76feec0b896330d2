package io.lazuli.server.blob.partition;

import io.lazuli.server.blob.encoding.BlobPropertiesCodec;
import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.LentRecord;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Position;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Visit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Searches blobs for states under an immutability policy or a legal hold: blobs, snapshots and
 * versions; or one blob for such snapshots. Reads the properties of all of them until it finds one.
 */
public final class ProtectedStates {
  private ProtectedStates() {}

  /**
   * Returns true if a state of certain blobs must not be removed now.
   *
   * @param blobs the ranges of the blobs
   */
  public static CompletableFuture<Boolean> existIn(
      StorageEngine engine, Space container, List<KeyRange> blobs, Deadline deadline) {
    long clock = engine.clock();
    return exist(engine, container, blobs, deadline, record -> refusal(record, clock) != null);
  }

  /** Returns true if a state of a blob has a hold or a policy, even one that has ended. */
  public static CompletableFuture<Boolean> existOf(
      StorageEngine engine, Partition blob, Deadline deadline) {
    List<KeyRange> range = List.of(KeyRange.ofPartition(blob.name()));
    return exist(
        engine, blob.space(), range, deadline, record -> isProtected(record.value().copy()));
  }

  private static CompletableFuture<Boolean> exist(
      StorageEngine engine,
      Space container,
      List<KeyRange> blobs,
      Deadline deadline,
      Predicate<LentRecord> wanted) {
    boolean[] found = new boolean[1];
    return engine
        .scan(
            container,
            blobs,
            Direction.FORWARD,
            deadline,
            record -> {
              Visit next = next(record);
              if (next == Visit.CONTINUE && wanted.test(record)) {
                found[0] = true;
                return Visit.STOP;
              }
              return next;
            })
        .thenApply(scanned -> found[0]);
  }

  /** Returns why the snapshots of a blob cannot all be removed now, if one of them is protected. */
  public static CompletableFuture<Optional<ServiceError>> snapshotRefusal(
      StorageEngine engine, Partition blob, Deadline deadline) {
    long clock = engine.clock();
    AtomicReference<@Nullable ServiceError> refusal = new AtomicReference<>();
    return scanSnapshots(
            engine,
            blob,
            deadline,
            record -> {
              refusal.set(refusal(record, clock));
              return refusal.get() == null;
            })
        .thenApply(scanned -> Optional.ofNullable(refusal.get()));
  }

  /**
   * Returns the row of a snapshot with a hold or a policy, even one that has ended, if there is
   * one.
   */
  public static CompletableFuture<Optional<Bytes>> findSnapshot(
      StorageEngine engine, Partition blob, Deadline deadline) {
    AtomicReference<@Nullable Bytes> found = new AtomicReference<>();
    return scanSnapshots(
            engine,
            blob,
            deadline,
            record -> {
              if (isProtected(record.value().copy())) {
                found.set(Bytes.of(record.row().copy()));
              }
              return found.get() == null;
            })
        .thenApply(scanned -> Optional.ofNullable(found.get()));
  }

  /** Returns true if the record of a state has a hold or a policy, even one that has ended. */
  public static boolean isProtected(byte[] state) {
    return BlobPropertiesCodec.hasOptional(state)
        && BlobPropertiesCodec.decode(state).changeRefusal() != null;
  }

  private static CompletableFuture<@Nullable Void> scanSnapshots(
      StorageEngine engine, Partition blob, Deadline deadline, Predicate<LentRecord> goesOn) {
    return engine.scan(
        blob.space(),
        List.of(
            new KeyRange(
                new Position(blob.name(), BlobRows.SNAPSHOTS),
                new Position(blob.name(), BlobRows.SNAPSHOTS_END))),
        Direction.FORWARD,
        deadline,
        record -> goesOn.test(record) ? Visit.CONTINUE : Visit.STOP);
  }

  /** Returns {@code CONTINUE} at a row that holds a state, or a jump to the next such row. */
  private static Visit next(LentRecord record) {
    Bytes name = Bytes.of(record.partition().copy());
    return switch (BlobRows.kind(record.row())) {
      case PROPERTIES, SNAPSHOT, VERSION, DELETED -> Visit.CONTINUE;
      case UNCOMMITTED_BLOCK -> Visit.skipTo(new Position(name, BlobRows.VERSIONS));
      case HISTORY -> Visit.skipTo(new Position(name, BlobRows.SNAPSHOTS));
      case PAGE_BYTES,
          PAGE_CLEAR,
          BYTES,
          DUE,
          PAGE_EXTENT,
          GONE_CHUNK,
          PAGE_CHUNK,
          SEGMENT,
          PAGE_NOTE ->
          Visit.skipTo(new Position(name, BlobRows.PROPERTIES));
    };
  }

  private static @Nullable ServiceError refusal(LentRecord record, long clock) {
    byte[] value = record.value().copy();
    return BlobPropertiesCodec.hasOptional(value)
        ? BlobPropertiesCodec.decode(value).removalRefusal(clock)
        : null;
  }
}
