package io.lazuli.server.job;

import io.lazuli.server.own.OwnTables;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps jobs and their logs in tables of the server itself. All methods block. */
final class JobStore {
  private static final Logger LOG = LoggerFactory.getLogger(JobStore.class);

  private static final String TABLE = "jobs";
  private static final String JOB = "job";
  private static final String LINES = "log";
  private static final int SCAN_MAX = 2 * Jobs.KEPT_MAX;

  private final OwnTables tables;
  private final Clock clock;

  JobStore(OwnTables tables, Clock clock) {
    this.tables = tables;
    this.clock = clock;
  }

  boolean isShared() {
    return tables.isShared();
  }

  void put(Job job) {
    tables.put(TABLE, JOB, job.id(), JobCodec.encode(job));
  }

  /** Returns all jobs, the oldest first. */
  List<Job> all() {
    List<Job> jobs = new ArrayList<>();
    for (OwnTables.Row row : tables.partition(TABLE, JOB, SCAN_MAX)) {
      try {
        jobs.add(JobCodec.decode(row.value()));
      } catch (IOException e) {
        LOG.warn("the job {} cannot be read: {}", row.row(), e.toString());
      }
    }
    return jobs;
  }

  @Nullable Job find(String id) {
    byte[] value = tables.get(TABLE, JOB, id);
    return value == null ? null : decoded(value);
  }

  private static Job decoded(byte[] value) {
    try {
      return JobCodec.decode(value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Changes a job in one transaction.
   *
   * @param change returns null to leave it; may be called several times
   * @return the job after the change; null if there is none
   */
  @Nullable Job change(String id, Function<Job, @Nullable Job> change) {
    if (tables.get(TABLE, JOB, id) == null) {
      return null;
    }
    byte[] after =
        tables.change(
            TABLE,
            JOB,
            id,
            old -> {
              Job next = old == null ? null : change.apply(decoded(old));
              return next == null ? null : JobCodec.encode(next);
            });
    return after == null ? null : decoded(after);
  }

  void remove(String id) {
    tables.remove(TABLE, LINES, id);
    tables.remove(TABLE, JOB, id);
  }

  /** Adds lines to the log of a job, which keeps the last ones. */
  void log(String id, List<String> lines) {
    if (lines.isEmpty()) {
      return;
    }
    Instant now = clock.instant();
    byte @Nullable [] unused =
        tables.change(
            TABLE,
            LINES,
            id,
            old -> {
              List<String> all = new ArrayList<>(old == null ? List.of() : split(old));
              for (String line : lines) {
                String flat = line.replace('\n', ' ');
                int length = Math.min(flat.length(), Jobs.LINE_CHARS_MAX);
                all.add(now.toString() + " " + flat.substring(0, length));
              }
              int from = Math.max(0, all.size() - Jobs.LOG_LINES_MAX);
              return String.join("\n", all.subList(from, all.size()))
                  .getBytes(StandardCharsets.UTF_8);
            });
  }

  /** Returns the lines of a log; each begins with a time and a space. */
  List<String> lines(String id) {
    byte[] value = tables.get(TABLE, LINES, id);
    return value == null ? List.of() : split(Objects.requireNonNull(value));
  }

  private static List<String> split(byte[] value) {
    return List.of(new String(value, StandardCharsets.UTF_8).split("\n", -1));
  }
}
