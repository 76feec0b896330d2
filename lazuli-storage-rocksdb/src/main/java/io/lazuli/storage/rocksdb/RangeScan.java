package io.lazuli.storage.rocksdb;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.DamageVisitor;
import io.lazuli.storage.DamagedRecords;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.LentRecord;
import io.lazuli.storage.Position;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.Visit;
import io.lazuli.storage.keys.KeyCodec;
import java.util.Arrays;
import java.util.List;
import org.rocksdb.Range;
import org.rocksdb.SizeApproximationFlag;
import org.rocksdb.Slice;

/**
 * One scan over the ranges of a space. Mutable: belongs to the scanning thread.
 *
 * <p>A single iterator serves all ranges, so everything that it shows is a snapshot of one moment.
 * Only a large scan across partitions, for which the interface does not promise a snapshot, may
 * change to a second iterator. It reads its first records through the block cache, because first
 * pages are often read again. It reads the rest without filling the cache, so that it does not
 * evict blocks that point reads need.
 */
final class RangeScan {
  private static final int RECORDS_PER_CHECK = 256;

  /**
   * A scan across partitions is large if its files are larger than the memory divided by this
   * number.
   */
  private static final int CACHE_SHARE = 8;

  /**
   * The number of records that a large scan reads through the block cache: a page of the table
   * service and its look-ahead.
   */
  private static final int HEAD_RECORDS = 1_024;

  private final NativeStore store;
  private final Space space;
  private final Deadline deadline;
  private final Runnable check;
  private final RecordVisitor visitor;
  private final LentRecord record = new LentRecord();
  private byte[] end = new byte[0];
  private boolean fillsCacheAtFirst;
  private int seen;

  /**
   * Makes a scan that has not begun.
   *
   * @param check called every few hundred records; throws if the scan must end
   */
  RangeScan(
      NativeStore store, Space space, Deadline deadline, Runnable check, RecordVisitor visitor) {
    this.store = store;
    this.space = space;
    this.deadline = deadline;
    this.check = check;
    this.visitor = visitor;
  }

  void run(List<KeyRange> ranges, Direction direction) {
    byte[][] from = new byte[ranges.size()][];
    byte[][] to = new byte[ranges.size()][];
    for (int i = 0; i < from.length; i++) {
      Position end = ranges.get(i).to();
      from[i] = encode(ranges.get(i).from());
      to[i] = end == null ? KeyCodec.spaceEnd(space.number()) : encode(end);
    }
    byte[] lowest = from[0];
    end = to[to.length - 1];
    boolean small = ranges.stream().allMatch(KeyRange::isInOnePartition) || isSmall(lowest, end);
    boolean fromStart =
        direction == Direction.FORWARD && ranges.get(0).from().equals(Position.START);
    fillsCacheAtFirst = !small && fromStart;
    boolean cached = (small || fromStart) && !(visitor instanceof DamageVisitor);
    fillsCacheAtFirst &= cached;
    try (RecordCursor cursor = new RecordCursor(store, Family.of(space), lowest, end, cached)) {
      if (direction == Direction.FORWARD) {
        forward(cursor, from, to);
      } else {
        backward(cursor, from, to);
      }
    }
  }

  private void forward(RecordCursor cursor, byte[][] from, byte[][] to) {
    boolean more = true;
    for (int i = 0; i < from.length && more; i++) {
      if (i == 0 || cursor.compareKey(from[i]) < 0) {
        more = seek(cursor, from[i]);
      }
      while (more && cursor.isValid() && cursor.compareKey(to[i]) < 0) {
        more = showAndStepForward(cursor);
      }
      more &= cursor.isValid();
    }
  }

  private void backward(RecordCursor cursor, byte[][] from, byte[][] to) {
    boolean more = true;
    int last = from.length - 1;
    for (int i = last; i >= 0 && more; i--) {
      if (i == last || cursor.compareKey(to[i]) >= 0) {
        seekBefore(cursor, to[i]);
      }
      while (more && cursor.isValid() && cursor.compareKey(from[i]) >= 0) {
        more = showAndStepBackward(cursor);
      }
      more &= cursor.isValid();
    }
  }

  private static void seekBefore(RecordCursor cursor, byte[] end) {
    cursor.seekForPrev(end);
    if (cursor.isValid() && cursor.compareKey(end) == 0) {
      cursor.prev();
    }
  }

  private boolean showAndStepForward(RecordCursor cursor) {
    Visit visit = show(cursor);
    if (visit == Visit.STOP) {
      return false;
    }
    Position target = visit.target();
    if (target == null) {
      boolean more = next(cursor);
      stopFillingCacheAfterHead(cursor);
      return more;
    }
    byte[] key = encode(target);
    return cursor.compareKey(key) < 0 ? seek(cursor, key) : next(cursor);
  }

  /** Moves to the next record. Returns false if the visitor stops at damage on the way. */
  private boolean next(RecordCursor cursor) {
    try {
      cursor.next();
      return true;
    } catch (StorageException e) {
      byte[] last = cursor.copyKey();
      return passDamage(cursor, Arrays.copyOf(last, last.length + 1), e);
    }
  }

  private boolean seek(RecordCursor cursor, byte[] key) {
    try {
      cursor.seek(key);
      return true;
    } catch (StorageException e) {
      return passDamage(cursor, key, e);
    }
  }

  /** Shows damage to a visitor that expects it, and moves to the first record after it. */
  private boolean passDamage(RecordCursor cursor, byte[] from, StorageException failure) {
    if (!(visitor instanceof DamageVisitor checker)
        || failure.kind() != StorageException.Kind.CORRUPT) {
      throw failure;
    }
    StorageException met = failure;
    byte[] next = new TableFiles(store).endOfDamage(met, from, end);
    while (next != null && met != null) {
      try {
        cursor.seek(next);
        met = null;
      } catch (StorageException e) {
        met = e;
        next = new TableFiles(store).endOfDamage(e, next, end);
      }
    }
    Position to = cursor.isValid() ? position(cursor.key(), cursor.keyLength()) : null;
    Visit visit =
        checker.damaged(new DamagedRecords(position(from, from.length), to, null, failure));
    return visit != Visit.STOP;
  }

  private static Position position(byte[] key, int length) {
    LentRecord parts = new LentRecord();
    KeyCodec.lend(key, length, parts.partition(), parts.row());
    return new Position(Bytes.of(parts.partition().copy()), Bytes.of(parts.row().copy()));
  }

  private void stopFillingCacheAfterHead(RecordCursor cursor) {
    if (fillsCacheAtFirst && seen >= HEAD_RECORDS && cursor.isValid()) {
      fillsCacheAtFirst = false;
      cursor.stopFillingCache();
    }
  }

  private boolean showAndStepBackward(RecordCursor cursor) {
    Visit visit = show(cursor);
    if (visit == Visit.STOP) {
      return false;
    }
    Position target = visit.target();
    if (target == null) {
      cursor.prev();
      return true;
    }
    byte[] key = encode(target);
    if (cursor.compareKey(key) > 0) {
      cursor.seekForPrev(key);
    } else {
      cursor.prev();
    }
    return true;
  }

  private Visit show(RecordCursor cursor) {
    if (++seen % RECORDS_PER_CHECK == 0) {
      deadline.check();
      check.run();
    }
    KeyCodec.lend(cursor.key(), cursor.keyLength(), record.partition(), record.row());
    if (isHidden() && !(visitor instanceof DamageVisitor)) {
      return Visit.CONTINUE;
    }
    int length;
    try {
      length = cursor.loadValue();
    } catch (StorageException e) {
      return showDamaged(cursor, e);
    }
    record.value().lend(cursor.value(), 0, length);
    return isHidden() ? Visit.CONTINUE : visitor.visit(record);
  }

  private Visit showDamaged(RecordCursor cursor, StorageException failure) {
    if (!(visitor instanceof DamageVisitor checker)) {
      throw failure;
    }
    Position at = position(cursor.key(), cursor.keyLength());
    return checker.damaged(new DamagedRecords(at, at.successor(), cursor.copyStored(), failure));
  }

  /**
   * Returns true for rows of the engine: in catalogue partitions, those that begin with a zero
   * byte.
   */
  private boolean isHidden() {
    return space.number() == Space.CATALOGUE.number()
        && record.row().length() > 0
        && record.row().array()[record.row().offset()] == 0;
  }

  private boolean isSmall(byte[] from, byte[] to) {
    try (Slice lower = new Slice(from);
        Slice upper = new Slice(to)) {
      long[] bytes =
          store
              .db()
              .getApproximateSizes(
                  store.handle(Family.of(space)),
                  List.of(new Range(lower, upper)),
                  SizeApproximationFlag.INCLUDE_FILES);
      return bytes[0] <= store.memoryBytes() / CACHE_SHARE;
    }
  }

  private byte[] encode(Position position) {
    return KeyCodec.encode(space.number(), position);
  }
}
