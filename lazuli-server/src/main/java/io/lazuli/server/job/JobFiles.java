package io.lazuli.server.job;

import io.lazuli.server.own.OwnTables;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The files that jobs make and read, in tables of the server itself: one table for each file, so
 * that a file of any size is dropped at once. All methods block. Thread-safe.
 */
public final class JobFiles {
  /** The bytes of one file. */
  public static final long FILE_BYTES_MAX = 4L << 30;

  /** The bytes of all files together, after which the oldest go. */
  public static final long ALL_BYTES_MAX = 8L << 30;

  /** The days for which a file is kept. */
  public static final int KEPT_DAYS = 3;

  /** The bytes of a chunk of an uploaded file, and about those of a made one. */
  public static final int CHUNK_BYTES = 256 << 10;

  /** The files that are kept. */
  public static final int FILES_MAX = 200;

  private static final String TABLE = "jobs";
  private static final String FILE = "file";
  private static final String PREFIX = "jobfile-";
  private static final String CHUNKS = "c";
  private static final String NAMES = "n";

  private final OwnTables tables;
  private final Clock clock;

  /**
   * A file.
   *
   * @param id the job that made it, or a name of its own if it was uploaded
   * @param bytes -1 while it is being uploaded
   */
  public record Stored(String id, String account, long bytes, Instant written) {}

  public JobFiles(OwnTables tables, Clock clock) {
    this.tables = tables;
    this.clock = clock;
  }

  OwnTables tables() {
    return tables;
  }

  /** Returns the name of a new uploaded file. */
  public String newId() {
    return "u" + UUID.randomUUID().toString().replace("-", "").substring(0, 16);
  }

  /** Stores a chunk, in place of one that has its number. */
  public void put(String id, int chunk, byte[] bytes) {
    tables.put(PREFIX + id, CHUNKS, row(chunk), bytes);
  }

  private static String row(int chunk) {
    return String.format(Locale.ROOT, "%08d", chunk);
  }

  /** Returns a chunk; null if there is none. */
  public byte @Nullable [] get(String id, int chunk) {
    return tables.get(PREFIX + id, CHUNKS, row(chunk));
  }

  /** Remembers a name for the work on a file, such as that of a column. */
  public void addName(String id, String name) {
    tables.put(PREFIX + id, NAMES, name, new byte[1]);
  }

  /** Returns the names that were remembered. */
  public List<String> names(String id, int max) {
    return tables.partition(PREFIX + id, NAMES, max).stream().map(OwnTables.Row::row).toList();
  }

  /** Removes what a job no longer needs once it has its result. */
  public void removeDraft(String id) {
    tables.drop(PREFIX + draft(id));
  }

  /** Notes that a file has this length; -1 while it is being uploaded. */
  public void note(String id, String account, long bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (DataOutputStream data = new DataOutputStream(out)) {
      data.writeUTF(account);
      data.writeLong(bytes);
      data.writeLong(clock.millis());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    tables.put(TABLE, FILE, id, out.toByteArray());
  }

  /** Returns a file; null if there is none. */
  public @Nullable Stored find(String id) {
    byte[] value = tables.get(TABLE, FILE, id);
    return value == null ? null : decoded(id, value);
  }

  private static Stored decoded(String id, byte[] value) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(value))) {
      return new Stored(id, in.readUTF(), in.readLong(), Instant.ofEpochMilli(in.readLong()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the name of the file that a job makes before it makes its result. */
  public static String draft(String id) {
    return id + "r";
  }

  public void remove(String id) {
    tables.drop(PREFIX + id);
    tables.drop(PREFIX + draft(id));
    tables.remove(TABLE, FILE, id);
  }

  /** Removes files that are too old, and the oldest of too many bytes. */
  void sweep(List<Job> jobs, Instant now) {
    List<Stored> files = new ArrayList<>();
    for (OwnTables.Row row : tables.partition(TABLE, FILE, 2 * FILES_MAX)) {
      files.add(decoded(row.row(), row.value()));
    }
    files.sort(Comparator.comparing(Stored::written).reversed());
    long bytes = 0;
    int kept = 0;
    for (Stored file : files) {
      boolean isUsed = jobs.stream().anyMatch(job -> uses(job, file.id()));
      bytes += Math.max(0, file.bytes());
      boolean isTooMuch = bytes > ALL_BYTES_MAX || kept >= FILES_MAX;
      if (!isUsed && (isTooMuch || file.written().plus(Duration.ofDays(KEPT_DAYS)).isBefore(now))) {
        remove(file.id());
        bytes -= Math.max(0, file.bytes());
      } else {
        kept++;
      }
    }
    for (String table : tables.names(PREFIX, 2 * FILES_MAX)) {
      String id = table.substring(PREFIX.length());
      boolean isKnown =
          files.stream().anyMatch(file -> file.id().equals(id))
              || jobs.stream().anyMatch(job -> job.id().equals(id) || draft(job.id()).equals(id));
      if (!isKnown) {
        tables.drop(table);
      }
    }
  }

  private static boolean uses(Job job, String file) {
    return !job.state().isEnd()
        && (job.id().equals(file) || file.equals(job.parameters().get("file")));
  }
}
