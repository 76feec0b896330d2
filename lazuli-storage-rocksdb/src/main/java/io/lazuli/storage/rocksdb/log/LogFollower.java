package io.lazuli.storage.rocksdb.log;

import io.lazuli.storage.ChangeLog;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the batches of an open database from its logs, one after another. RocksDB moves logs that
 * it does not need any more to the folder {@code archive}, where they stay until they were read.
 * Belongs to one thread, except {@link #keptBytes}.
 *
 * <p>RocksDB could list its batches too (getUpdatesSince), but it would begin each time at the
 * start of a log.
 */
public final class LogFollower implements Closeable {
  private final Path database;
  private final Path archive;

  /** The log that is being read, and where its next batch begins. */
  private long log;

  private long offset;

  /** The sequence number of the last change that was read, and the log that has it. */
  private long last;

  private long lastLog;
  private @Nullable RecordReader reader;

  /**
   * A batch.
   *
   * @param content as RocksDB wrote it
   */
  public record Entry(long first, long last, byte[] content) {}

  public LogFollower(Path database) {
    this.database = database;
    this.archive = database.resolve("archive");
  }

  /**
   * Moves after the batch that ends with a sequence number, or after the last one before it.
   *
   * @return the checksum of the batch; -1 if the logs do not have it
   */
  public long moveAfter(long sequence) throws IOException {
    close();
    NavigableMap<Long, Path> files = files();
    log = files.isEmpty() ? 0 : files.firstKey();
    offset = 0;
    last = sequence;
    lastLog = log;
    long checksum = -1;
    for (long number : files.keySet()) {
      try (RecordReader in = new RecordReader(find(number), 0, Integer.MAX_VALUE)) {
        RecordReader.Found record = in.next();
        Batch batch = record == null ? null : Batch.in(record);
        while (record != null && batch != null && batch.next() - 1 <= sequence) {
          log = number;
          offset = record.end();
          if (batch.next() - 1 == sequence && batch.next() > batch.sequence()) {
            checksum = ChangeLog.checksum(record.head());
            lastLog = number;
          }
          record = in.next();
          batch = record == null ? null : Batch.in(record);
        }
      }
    }
    return checksum;
  }

  /** Begins to read what was written since the last call. */
  public void refresh() throws IOException {
    close();
  }

  /**
   * Returns the next batch; null if the last one that was read ends with the sequence number.
   *
   * @param upTo the sequence number of a change that is durable
   * @throws ChangeLog.LostException if the next batch is missing
   */
  public @Nullable Entry next(long upTo) throws IOException {
    NavigableMap<Long, Path> files = null;
    while (last < upTo) {
      RecordReader in = opened();
      RecordReader.Found record = in.next();
      if (record != null) {
        Entry entry = accept(record);
        if (entry != null) {
          return entry;
        }
      } else if (files == null) {
        // A log ends only if there is a later one when its end is read.
        files = files();
        close();
      } else {
        Long later = files.higherKey(log);
        if (later == null) {
          throw lost("it ends after " + last);
        }
        close();
        log = later;
        offset = 0;
        files = null;
      }
    }
    return null;
  }

  private @Nullable Entry accept(RecordReader.Found record) throws IOException {
    Batch batch = Batch.in(record);
    if (batch == null) {
      throw new IOException("a record of the log is too short for a batch");
    }
    if (batch.next() - 1 > last && batch.sequence() != last + 1) {
      throw lost("after " + last + " it has " + batch.sequence());
    }
    offset = record.end();
    if (batch.next() - 1 <= last) {
      // Without changes, or read before.
      return null;
    }
    last = batch.next() - 1;
    lastLog = log;
    return new Entry(batch.sequence(), last, record.head());
  }

  private static ChangeLog.LostException lost(String how) {
    return new ChangeLog.LostException("the log does not have all changes: " + how);
  }

  private RecordReader opened() throws IOException {
    RecordReader in = reader;
    if (in == null) {
      try {
        in = new RecordReader(find(log), offset, Integer.MAX_VALUE);
      } catch (NoSuchFileException e) {
        throw lost("log " + log + " is gone");
      }
      reader = in;
    }
    return in;
  }

  /** Returns a log where it is now: RocksDB moves it at most once. */
  private Path find(long number) {
    Path file = LogFiles.of(database, number);
    return Files.exists(file) ? file : LogFiles.of(archive, number);
  }

  /** Lists the logs. One that moves in between is in the second list. */
  private NavigableMap<Long, Path> files() throws IOException {
    NavigableMap<Long, Path> files = new TreeMap<>(LogFiles.in(database));
    files.putAll(archived());
    return files;
  }

  private NavigableMap<Long, Path> archived() throws IOException {
    return Files.isDirectory(archive) ? LogFiles.in(archive) : new TreeMap<>();
  }

  /**
   * Removes the logs that were read and that RocksDB does not need. The last batch that was read
   * stays, to compare it when the reading goes on after a restart.
   */
  public void removeRead() throws IOException {
    for (Path file : archived().headMap(lastLog, false).values()) {
      Files.deleteIfExists(file);
    }
  }

  /** Removes all logs that RocksDB does not need. */
  public void removeAll() throws IOException {
    for (Path file : archived().values()) {
      Files.deleteIfExists(file);
    }
  }

  /** Returns the length of the logs that RocksDB does not need. Any thread may call it. */
  public long keptBytes() throws IOException {
    long bytes = 0;
    for (Path file : archived().values()) {
      try {
        bytes += Files.size(file);
      } catch (NoSuchFileException e) {
        // It was removed at the same time.
      }
    }
    return bytes;
  }

  @Override
  public void close() throws IOException {
    RecordReader in = reader;
    reader = null;
    if (in != null) {
      in.close();
    }
  }
}
