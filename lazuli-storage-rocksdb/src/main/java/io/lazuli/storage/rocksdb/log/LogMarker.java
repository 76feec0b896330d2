package io.lazuli.storage.rocksdb.log;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.storage.Durability;
import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.thread.BackgroundThread;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the {@link LogMark} of an open database up to date, on its own thread. Writers take no
 * part. Thread-safe.
 *
 * <p>Once a second the thread gets RocksDB's latest sequence number. RocksDB publishes a number
 * after the batch is synced, so everything up to it is durable. The thread then reads the new part
 * of the logs until it has found the batch with that number. The mark thus never claims more than
 * is synced, also if RocksDB begins a new log at the same time. Without new batches nothing is read
 * or written.
 *
 * <p>With relaxed durability a published batch may be unsynced. Then only the close of the engine,
 * which syncs the log, writes a mark that covers anything.
 */
public final class LogMarker {
  /** Stands for the last sequence number of a closed log, whose end may be torn. */
  private static final long WHOLE_LOG = Long.MAX_VALUE;

  private static final Duration PERIOD = Duration.ofSeconds(1);
  private static final Logger LOG = LoggerFactory.getLogger(LogMarker.class);

  private final Path database;
  private final boolean everyWriteSynced;
  private final LongSupplier publishedSequence;
  private final BackgroundThread thread = new BackgroundThread("lazuli-log-mark", LOG::warn);

  @GuardedBy("this")
  private final NavigableMap<Long, Extent> extents = new TreeMap<>();

  /** The log that was read last. */
  @GuardedBy("this")
  private long log;

  @GuardedBy("this")
  private long markedSequence = -1;

  @GuardedBy("this")
  private @Nullable LogMark written;

  private LogMarker(Path database, Durability durability, LongSupplier publishedSequence) {
    this.database = database;
    this.everyWriteSynced = durability == Durability.DISK;
    this.publishedSequence = publishedSequence;
  }

  /**
   * Writes the first mark of a database that was just opened. Folders of earlier versions get one.
   *
   * @param publishedSequence returns RocksDB's latest sequence number
   */
  public static LogMarker open(
      Path database, Durability durability, LongSupplier publishedSequence) {
    LogMarker marker = new LogMarker(database, durability, publishedSequence);
    try {
      marker.begin();
    } catch (IOException e) {
      throw new EngineOpenException(
          "cannot write the mark of the log in " + database + ": " + e, e);
    }
    return marker;
  }

  public void start() {
    thread.repeat(
        PERIOD,
        PERIOD,
        () -> {
          update();
          return PERIOD;
        });
    thread.start();
  }

  /** Ends the thread. */
  public void stop() {
    thread.closeAndJoin();
  }

  /** Marks the whole log, after it was synced and the database was closed. */
  public synchronized void finish() throws IOException {
    mark(WHOLE_LOG);
  }

  /** Returns one line that says why the mark is old; empty if there is no fault. */
  public String fault() {
    String trouble = thread.trouble();
    return trouble.isEmpty()
        ? ""
        : "damage of the log may not be found: its mark could not be written: " + trouble;
  }

  /** Brings the mark up to date if there are new batches. */
  public synchronized void update() throws IOException {
    long sequence = publishedSequence.getAsLong();
    if (sequence != markedSequence && everyWriteSynced) {
      mark(sequence);
      markedSequence = sequence;
    }
  }

  private synchronized void begin() throws IOException {
    Manifest manifest = Manifest.read(database);
    log = manifest == null ? 0 : manifest.firstLog();
    if (everyWriteSynced) {
      update();
    } else {
      write();
    }
  }

  @GuardedBy("this")
  private void mark(long sequence) throws IOException {
    NavigableMap<Long, Path> files = LogFiles.in(database);
    // RocksDB deletes a log when all its changes are in tables.
    extents.keySet().retainAll(files.keySet());
    for (Map.Entry<Long, Path> file : files.tailMap(log, true).entrySet()) {
      follow(file.getKey(), file.getValue(), sequence);
    }
    write();
  }

  /**
   * Reads the new batches of a log, up to a sequence number.
   *
   * @throws IOException also if the log is damaged before that number
   */
  @GuardedBy("this")
  private void follow(long number, Path file, long sequence) throws IOException {
    Extent known = extents.getOrDefault(number, Extent.EMPTY);
    try (RecordReader reader = new RecordReader(file, known.length(), Batch.HEADER_BYTES)) {
      Batch batch = nextUpTo(reader, sequence);
      while (batch != null) {
        known = new Extent(batch.end(), batch.next() - 1);
        log = number;
        batch = nextUpTo(reader, sequence);
      }
      extents.put(number, known);
      Fault unreadable = reader.fault();
      if (unreadable != null && known.lastSequence() < sequence && sequence != WHOLE_LOG) {
        throw new IOException(
            file + ", offset " + unreadable.offset() + ": " + unreadable.kind().text());
      }
    } catch (NoSuchFileException e) {
      extents.remove(number);
    }
  }

  private static @Nullable Batch nextUpTo(RecordReader reader, long sequence) throws IOException {
    RecordReader.Found record = reader.next();
    Batch batch = record == null ? null : Batch.in(record);
    return batch == null || batch.next() - 1 > sequence ? null : batch;
  }

  @GuardedBy("this")
  private void write() throws IOException {
    LogMark current = new LogMark(everyWriteSynced, extents);
    if (!current.equals(written)) {
      current.write(database);
      written = current;
    }
  }
}
