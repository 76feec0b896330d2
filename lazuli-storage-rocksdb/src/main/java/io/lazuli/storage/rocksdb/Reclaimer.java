package io.lazuli.storage.rocksdb;

import io.lazuli.storage.Ticks;
import io.lazuli.storage.engine.DroppedSpaces;
import io.lazuli.storage.engine.EngineClock;
import io.lazuli.storage.keys.KeyCodec;
import io.lazuli.storage.rocksdb.log.LogWriter;
import io.lazuli.storage.thread.BackgroundThread;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.CompactRangeOptions.BottommostLevelCompaction;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdb.WriteBatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Frees the records of dropped spaces on its own thread, in small batches, so that the lane never
 * waits for more than one batch. A crash loses nothing: drops are recorded, a restart finds them,
 * and freeing a space again costs one seek.
 *
 * <p>A small space is deleted key by key, because each range tombstone slows every later read of
 * its family until it is compacted away, and most dropped tables are small. For a large space, the
 * reclaimer first deletes whole files and then covers the rest with a range tombstone. In the
 * opposite order the file with the tombstone itself could be deleted, and the records that it
 * covered would come back. When no more drops are waiting, the reclaimer compacts the ranges of the
 * large spaces. This removes the tombstones and the records in files that only partly belong to the
 * range, and releases the log files that still contained the records.
 *
 * <p>The log keeps the order of writes, so a power cut that undoes a deletion also undoes the later
 * removal of the drop.
 */
final class Reclaimer implements AutoCloseable {
  /** A space with more records is deleted as a range. */
  static final int SMALL_SPACE_RECORDS_MAX = 10_000;

  /**
   * A space with more bytes is also deleted as a range, because freeing that much disk space is
   * worth a compaction.
   */
  static final long SMALL_SPACE_BYTES_MAX = 8 << 20;

  /** The time between two checks for old drops, and the pause after a failure. */
  private static final Duration CHECK_PERIOD = Duration.ofMinutes(1);

  private static final int KEYS_PER_STEP = 256;
  private static final long RECORDED_TICKS =
      DroppedSpaces.REMEMBERED.toSeconds() * Ticks.PER_SECOND;
  private static final Logger LOG = LoggerFactory.getLogger(Reclaimer.class);

  private final NativeStore store;
  private final LogWriter log;
  private final Consumer<RocksDBException> onFailedLog;
  private final EngineClock clock;

  /** The drops to free. Drops that do not fit are found at the next start. */
  private final BlockingQueue<Drop> waiting = new LinkedBlockingQueue<>(Drop.KNOWN_MAX);

  /**
   * Drops whose space is freed but whose record must still be kept; oldest first. Used by the
   * reclaimer's thread only.
   */
  private final Queue<Drop> freed = new ArrayDeque<>();

  /** Drops whose space could not be freed. Used by the reclaimer's thread only. */
  private final Queue<Drop> failed = new ArrayDeque<>();

  /** Large spaces that were deleted but not compacted. Used by the reclaimer's thread only. */
  private final Queue<Drop> uncompacted = new ArrayDeque<>();

  /**
   * Rewrites the files of the bottom level, because a file that is only moved there keeps its
   * tombstones.
   */
  private final CompactRangeOptions compaction =
      new CompactRangeOptions()
          .setExclusiveManualCompaction(false)
          .setAllowWriteStall(false)
          .setBottommostLevelCompaction(BottommostLevelCompaction.kForceOptimized);

  private final BackgroundThread thread = new BackgroundThread("lazuli-reclaimer", LOG::error);
  private final BackgroundThread.Job work = thread.repeat(Duration.ZERO, CHECK_PERIOD, this::step);
  private volatile boolean closing;
  private volatile String problem = "";

  /**
   * @param log writes in the background: slower than others if RocksDB is busy
   * @param onFailedLog called when a write to the log fails. RocksDB refuses every write after
   *     that, so the store must become read-only.
   */
  Reclaimer(
      NativeStore store, LogWriter log, Consumer<RocksDBException> onFailedLog, EngineClock clock) {
    this.store = store;
    this.log = log;
    this.onFailedLog = onFailedLog;
    this.clock = clock;
  }

  /** Starts the thread with the recorded drops. */
  void start(List<Drop> found) {
    found.stream().sorted(Comparator.comparingLong(Drop::ticks)).forEach(this::add);
    thread.start();
  }

  /** Queues a drop that is already durable. Never blocks. */
  void add(Drop drop) {
    boolean taken = waiting.offer(drop);
    if (!taken) {
      LOG.warn(
          "too many drops are waiting: the next start frees the records of space {}", drop.space());
    }
    work.wake();
  }

  /** Returns the number of dropped spaces whose records are still to be freed. */
  int backlog() {
    return waiting.size();
  }

  /** Returns one line that says why spaces are not freed; empty if there is no fault. */
  String fault() {
    String trouble = thread.trouble().isEmpty() ? problem : thread.trouble();
    return trouble.isEmpty() ? "" : "dropped tables are not freed: " + trouble;
  }

  /** Ends the thread after its current batch, and cancels a running compaction. */
  @Override
  public void close() {
    closing = true;
    compaction.setCanceled(true);
    thread.closeAndJoin();
    compaction.close();
  }

  /** Frees one space. Spaces that could not be freed before come last. */
  private Duration step() throws RocksDBException {
    Drop drop = waiting.isEmpty() ? failed.poll() : waiting.poll();
    boolean done = drop == null || tryFree(drop);
    if (waiting.isEmpty()) {
      compact();
    }
    forgetOld();
    boolean more = !waiting.isEmpty() || (done && !failed.isEmpty());
    return more ? Duration.ZERO : CHECK_PERIOD;
  }

  /**
   * Frees a space. Returns false if that failed; it is tried again later, because the cause may
   * pass: a full disk, for instance.
   */
  private boolean tryFree(Drop drop) {
    try {
      free(drop);
      problem = failed.isEmpty() ? "" : problem;
      return true;
    } catch (RocksDBException | RuntimeException e) {
      failed.add(drop);
      problem = String.valueOf(e.getMessage());
      LOG.error("the records of space {} are not freed; that is tried again", drop.space(), e);
      return false;
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
      try (WriteBatch batch = new WriteBatch()) {
        batch.deleteRange(store.handle(family), from, to);
        write(batch);
      }
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

  /**
   * Compacts the ranges of the deleted large spaces. A cancelled compaction is not repeated,
   * because RocksDB later compacts those files by itself.
   */
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
        if (!isCancelled(e)) {
          throw e;
        }
      }
    }
    if (!closing) {
      store.flush();
    }
  }

  private static boolean isCancelled(RocksDBException e) {
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
          write(batch);
          batch.clear();
        }
      }
    }
  }

  private void write(WriteBatch batch) throws RocksDBException {
    try {
      log.write(batch);
    } catch (RocksDBException e) {
      onFailedLog.accept(e);
      throw e;
    }
  }

  /**
   * Removes the records of drops whose space is freed and which are so old that every running
   * request began after them.
   */
  private void forgetOld() throws RocksDBException {
    long bound = clock.now() - RECORDED_TICKS;
    try (WriteBatch batch = new WriteBatch()) {
      while (isOld(freed.peek(), bound)) {
        batch.delete(store.handle(Family.CATALOGUE), freed.remove().key().array());
        if (batch.count() == KEYS_PER_STEP || !isOld(freed.peek(), bound)) {
          write(batch);
          batch.clear();
        }
      }
    }
  }

  private boolean isOld(@Nullable Drop drop, long bound) {
    return drop != null && drop.ticks() <= bound && !closing;
  }
}
