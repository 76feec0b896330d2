package io.lazuli.storage.rocksdb;

import io.lazuli.storage.Ticks;
import io.lazuli.storage.engine.DroppedSpaces;
import io.lazuli.storage.engine.EngineClock;
import io.lazuli.storage.engine.Threads;
import io.lazuli.storage.keys.KeyCodec;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.CompactRangeOptions.BottommostLevelCompaction;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdb.WriteBatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Frees what dropped spaces held, on a thread of its own and in small steps, so that the lane never
 * waits for more than one of them. A crash loses nothing: drops are recorded, a restart finds them,
 * and freeing again what is free costs one seek.
 *
 * <p>A small space is deleted key by key, and an empty one not at all: each range tombstone slows
 * every later read of its family until it is compacted away, and dropped tables are mostly small.
 * For a large one whole files go first and a range tombstone covers the rest. The other way round
 * the file with the tombstone itself could go first, and what it covered would come back. Once no
 * more drops wait, the ranges of the large ones are compacted: that ends their tombstones and the
 * files that lay only partly within, and lets go of the logs that still held the records.
 *
 * <p>Nothing here is synced: the log keeps the order of writes, so a power cut that takes back a
 * deletion also takes back that its drop was forgotten.
 */
final class Reclaimer implements AutoCloseable {
  /** Spaces with more records are deleted as a range. */
  static final int SMALL_SPACE_RECORDS_MAX = 10_000;

  /** And so are spaces with more bytes, whose disk is worth a compaction. */
  static final long SMALL_SPACE_BYTES_MAX = 8 << 20;

  private static final int KEYS_PER_STEP = 256;
  private static final long RECORDED_TICKS =
      DroppedSpaces.REMEMBERED.toSeconds() * Ticks.PER_SECOND;
  private static final Logger LOG = LoggerFactory.getLogger(Reclaimer.class);

  private final NativeStore store;
  private final EngineClock clock;

  /** Drops past the bound are found by the next start. */
  private final BlockingQueue<Drop> waiting = new LinkedBlockingQueue<>(Drop.KNOWN_MAX);

  /** Freed, but still to be remembered; oldest first. Used by the reclaimer's thread only. */
  private final Queue<Drop> freed = new ArrayDeque<>();

  /** Large spaces that were deleted but not compacted. Used by the reclaimer's thread only. */
  private final Queue<Drop> uncompacted = new ArrayDeque<>();

  /** Forced, because a file that is only moved to the bottom keeps its tombstones. */
  private final CompactRangeOptions compaction =
      new CompactRangeOptions()
          .setExclusiveManualCompaction(false)
          .setAllowWriteStall(false)
          .setBottommostLevelCompaction(BottommostLevelCompaction.kForceOptimized);

  private final Thread thread = Threads.daemon(this::run, "lazuli-reclaimer");
  private volatile boolean closing;
  private volatile String fault = "";

  Reclaimer(NativeStore store, EngineClock clock) {
    this.store = store;
    this.clock = clock;
  }

  /** Begins, with the drops that were found recorded. */
  void start(List<Drop> found) {
    found.stream().sorted(Comparator.comparingLong(Drop::ticks)).forEach(this::add);
    thread.start();
  }

  /** Takes a durable drop; never blocks. */
  void add(Drop drop) {
    boolean taken = waiting.offer(drop);
    if (!taken) {
      LOG.warn("too many drops wait: the next start will free what space {} held", drop.space());
    }
  }

  /** Why nothing is freed any more, in one line; empty if all is well. */
  String fault() {
    return fault;
  }

  /** Ends after the step that runs now; a compaction is broken off. */
  @Override
  public void close() {
    closing = true;
    compaction.setCanceled(true);
    thread.interrupt();
    Threads.join(thread);
    compaction.close();
  }

  private void run() {
    try {
      while (!closing) {
        Drop drop = waiting.poll(1, TimeUnit.MINUTES);
        if (drop != null) {
          free(drop);
        }
        if (waiting.isEmpty()) {
          compact();
        }
        forgetOld();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RocksDBException | RuntimeException e) {
      fault = "dropped tables are not freed any more until a restart: " + e.getMessage();
      LOG.error("dropped tables are not freed any more until a restart", e);
    }
  }

  private void free(Drop drop) throws RocksDBException {
    Family family = Family.ofNumber(drop.space());
    byte[] from = KeyCodec.spaceStart(drop.space());
    byte[] to = KeyCodec.spaceEnd(drop.space());
    if (isSmall(family, from, to)) {
      deleteEach(family, from, to);
    } else {
      store.db().deleteFilesInRanges(store.handle(family), List.of(from, to), false);
      store.db().deleteRange(store.handle(family), store.backgroundWrites(), from, to);
      uncompacted.add(drop);
    }
    if (!closing) {
      freed.add(drop);
    }
  }

  private boolean isSmall(Family family, byte[] from, byte[] to) {
    int records = 0;
    long bytes = 0;
    try (RecordCursor cursor = new RecordCursor(store, family, from, to, false)) {
      cursor.seek(from);
      while (cursor.isValid() && isSmall(records, bytes) && !closing) {
        records++;
        bytes += cursor.keyLength() + cursor.valueLength();
        cursor.next();
      }
    }
    return isSmall(records, bytes);
  }

  private static boolean isSmall(int records, long bytes) {
    return records <= SMALL_SPACE_RECORDS_MAX && bytes <= SMALL_SPACE_BYTES_MAX;
  }

  /** One that is broken off is not repeated: RocksDB comes to those files in its own time. */
  private void compact() throws RocksDBException {
    if (uncompacted.isEmpty()) {
      return;
    }
    for (Drop drop = uncompacted.poll(); drop != null && !closing; drop = uncompacted.poll()) {
      Family family = Family.ofNumber(drop.space());
      try {
        store
            .db()
            .compactRange(
                store.handle(family),
                KeyCodec.spaceStart(drop.space()),
                KeyCodec.spaceEnd(drop.space()),
                compaction);
      } catch (RocksDBException e) {
        if (!isBrokenOff(e)) {
          throw e;
        }
      }
    }
    if (!closing) {
      store.flush();
    }
  }

  private static boolean isBrokenOff(RocksDBException e) {
    Status status = e.getStatus();
    return status != null && status.getCode() == Status.Code.Incomplete;
  }

  private void deleteEach(Family family, byte[] from, byte[] to) throws RocksDBException {
    try (RecordCursor cursor = new RecordCursor(store, family, from, to, false);
        WriteBatch batch = new WriteBatch()) {
      cursor.seek(from);
      while (cursor.isValid() && !closing) {
        batch.delete(store.handle(family), cursor.copyKey());
        cursor.next();
        if (batch.count() == KEYS_PER_STEP || !cursor.isValid()) {
          store.db().write(store.backgroundWrites(), batch);
          batch.clear();
        }
      }
    }
  }

  /** A drop that nobody can race any more, and whose space is free, need not be known. */
  private void forgetOld() throws RocksDBException {
    long bound = clock.now() - RECORDED_TICKS;
    for (Drop oldest = freed.peek();
        oldest != null && oldest.ticks() <= bound && !closing;
        oldest = freed.peek()) {
      store
          .db()
          .delete(store.handle(Family.CATALOGUE), store.backgroundWrites(), oldest.key().array());
      freed.remove();
    }
  }
}
