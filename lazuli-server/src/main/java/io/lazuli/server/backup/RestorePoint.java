package io.lazuli.server.backup;

import io.lazuli.storage.Replay;
import io.lazuli.storage.Ticks;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A moment that can be restored: a backup before it, and the changes of the archive from there on.
 *
 * @param backup the newest backup before the moment, or the one that was asked for
 * @param run has all changes from the backup to the moment
 * @param ticks the moment
 */
public record RestorePoint(BackupRecord backup, ArchiveRun run, long ticks) {
  /**
   * Finds the backup and the archive for a moment.
   *
   * @param id the backup to begin with; null for the newest one before the moment
   * @throws BackupException if the moment cannot be restored
   */
  public static RestorePoint find(BackupTarget target, Instant at, @Nullable String id)
      throws IOException {
    long ticks = Ticks.of(at);
    List<RestorePoint> found = new ArrayList<>();
    List<BackupRecord> backups = ArchiveRun.bases(target);
    for (ArchiveRun run : ArchiveRun.all(target)) {
      for (BackupRecord backup : backups) {
        if (run.isBase(backup)
            && backup.endTicks() <= ticks
            && ticks <= run.endTicks()
            && (id == null || backup.id().equals(id))) {
          found.add(new RestorePoint(backup, run, ticks));
        }
      }
    }
    if (found.isEmpty()) {
      throw new BackupException(at + " cannot be restored: " + restorable(target));
    }
    if (found.stream().map(point -> point.backup().store()).distinct().count() > 1) {
      throw new BackupException(
          "several stores have an archive of " + at + ": name a backup of one of them (--backup)");
    }
    return found.stream()
        .max((a, b) -> Long.compare(a.backup().endTicks(), b.backup().endTicks()))
        .orElseThrow();
  }

  private static String restorable(BackupTarget target) throws IOException {
    List<ArchiveRun.Window> windows = ArchiveRun.windows(target);
    return windows.isEmpty()
        ? target.place() + " has no archive with a backup before it (setting backup-archive)"
        : target.place()
            + " has "
            + windows.stream()
                .map(ArchiveRun.Window::toString)
                .collect(Collectors.joining(", and "));
  }

  private List<SegmentName> segments() {
    return run.segments().stream()
        .filter(name -> name.last() > backup.sequence() && name.beginTicks() <= ticks)
        .toList();
  }

  /**
   * Applies the changes after the backup, up to the moment.
   *
   * @param chunks gets the chunks that the changes completed, by their names
   * @return the number of changes
   * @throws BackupException if a segment is damaged; nothing after it was applied
   */
  long replay(BackupTarget target, Replay into, Map<String, FileEntry> chunks, Meter meter)
      throws IOException {
    if (into.sequence() != backup.sequence()) {
      throw new BackupException(
          "the files of backup %s end with change %d instead of %d"
              .formatted(backup.id(), into.sequence(), backup.sequence()));
    }
    long[] changes = {0};
    String after = null;
    for (SegmentName name : segments()) {
      Segment segment = run.read(target, name, after);
      after = segment.sha256();
      if (segment.head().format() > into.format()) {
        throw new BackupException(
            "the archive has data format %d, and this version reads up to %d"
                .formatted(segment.head().format(), into.format()));
      }
      segment.head().chunks().forEach(chunk -> chunks.put(chunk.name(), chunk));
      boolean more =
          segment.forEach(
              (time, last, content) -> {
                if (time <= ticks && last > backup.sequence()) {
                  into.apply(content);
                  meter.count(content.length);
                  changes[0]++;
                }
                return time <= ticks;
              });
      if (!more) {
        break;
      }
    }
    return changes[0];
  }
}
