package io.lazuli.server.backup;

import io.lazuli.storage.Ticks;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the segments that no backup needs any more, and the objects that the others need. A segment
 * stays if the oldest backup of its store may need it. The last segment of a store always stays,
 * because the server goes on after it. Belongs to one thread.
 *
 * <p>A server may add segments at the same time, with chunks that are not in a segment yet. Objects
 * are therefore deleted under the lock of the archives, after the new segments were read.
 */
final class ArchivePruning {
  /** An archive without a backup stays this long: its first backup may be on the way. */
  private static final Duration UNUSED_TIME_MAX = Duration.ofDays(1);

  private final BackupTarget target;

  /** The segments whose chunks are known, by their file names. */
  private final Set<String> read = new HashSet<>();

  private final Set<String> used = new HashSet<>();
  private final List<String> removed = new ArrayList<>();

  private ArchivePruning(BackupTarget target) {
    this.target = target;
  }

  /**
   * Decides what stays, and removes nothing.
   *
   * @param kept the backups that stay
   * @throws BackupException if a segment cannot be read: objects that it needs would be removed
   */
  static ArchivePruning plan(BackupTarget target, List<String> kept) throws IOException {
    ArchivePruning plan = new ArchivePruning(target);
    Map<String, BackupRecord> oldest = new HashMap<>();
    for (String id : kept) {
      BackupRecord record = target.record(id);
      oldest.putIfAbsent(record.store(), record);
    }
    List<ArchiveRun> runs = ArchiveRun.all(target);
    for (int i = 0; i < runs.size(); i++) {
      ArchiveRun run = runs.get(i);
      boolean newest = i == runs.size() - 1 || !runs.get(i + 1).store().equals(run.store());
      plan.add(run, newest, oldest.get(run.store()));
    }
    return plan;
  }

  private void add(ArchiveRun run, boolean newest, @Nullable BackupRecord oldest)
      throws IOException {
    long bound = Ticks.of(oldest == null ? Instant.now().minus(UNUSED_TIME_MAX) : oldest.time());
    boolean whole = run.endTicks() < bound && (!newest || oldest == null);
    for (int i = 0; i < run.segments().size(); i++) {
      String file = run.chain() + "/" + run.segments().get(i).text();
      if (whole || (oldest != null && isBefore(run.segments(), i, oldest))) {
        removed.add(file);
      } else {
        read(file);
      }
    }
    if (whole) {
      removed.add(run.chain() + "/" + ArchiveHead.NAME);
    }
  }

  /** Returns whether the oldest backup can do without a segment, because the next one is enough. */
  private static boolean isBefore(List<SegmentName> segments, int index, BackupRecord oldest) {
    return index + 1 < segments.size()
        && segments.get(index).last() <= oldest.sequence()
        && segments.get(index + 1).beginTicks() <= Ticks.of(oldest.time());
  }

  private void read(String file) throws IOException {
    if (read.add(file)) {
      try (InputStream in = target.openArchived(file)) {
        SegmentHead.read(in).chunks().forEach(chunk -> used.add(chunk.sha256()));
      } catch (BackupException e) {
        throw new BackupException(
            "nothing was removed: segment " + file + " cannot be read: " + e.getMessage(), e);
      }
    }
  }

  void removeSegments() throws IOException {
    for (String file : removed) {
      target.deleteArchived(file);
    }
  }

  /** Deletes those objects that no segment needs. */
  void deleteUnused(List<String> objects) throws IOException {
    if (objects.isEmpty()) {
      return;
    }
    Closeable lock = target.lockArchives();
    try {
      for (String file : target.archived()) {
        if (SegmentName.parse(file.substring(file.lastIndexOf('/') + 1)) != null) {
          read(file);
        }
      }
      for (String name : objects) {
        if (!used.contains(name)) {
          target.delete(name);
        }
      }
    } finally {
      lock.close();
    }
  }
}
