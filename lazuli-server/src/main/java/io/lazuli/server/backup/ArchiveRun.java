package io.lazuli.server.backup;

import io.lazuli.storage.Ticks;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Segments of one chain that follow each other without a gap. With a backup that was made during
 * the run, every moment from the backup to the end of the run can be restored.
 *
 * @param chain {@code STORE/ID}; a store begins a new chain if it has lost changes
 * @param segments in their order, at least one
 * @param endTicks the time up to which the run has everything
 */
public record ArchiveRun(String chain, List<SegmentName> segments, long endTicks) {
  /**
   * The moments that can be restored.
   *
   * @param from the first moment
   * @param to the last one
   */
  public record Window(String store, Instant from, Instant to) {
    @Override
    public String toString() {
      return from + " to " + to;
    }
  }

  /** Lists the runs in a target, sorted by store and time, by the names of the segments. */
  static List<ArchiveRun> all(BackupTarget target) throws IOException {
    Map<String, List<SegmentName>> chains = new TreeMap<>();
    for (String file : target.archived()) {
      int slash = file.lastIndexOf('/');
      SegmentName name = SegmentName.parse(file.substring(slash + 1));
      if (name != null) {
        chains.computeIfAbsent(file.substring(0, slash), chain -> new ArrayList<>()).add(name);
      }
    }
    List<ArchiveRun> runs = new ArrayList<>();
    for (Map.Entry<String, List<SegmentName>> chain : chains.entrySet()) {
      add(target, chain.getKey(), chain.getValue().stream().sorted().toList(), runs);
    }
    return runs;
  }

  private static void add(
      BackupTarget target, String chain, List<SegmentName> sorted, List<ArchiveRun> runs)
      throws IOException {
    int begin = 0;
    for (int i = 1; i < sorted.size(); i++) {
      if (sorted.get(i).first() != sorted.get(i - 1).last() + 1
          || sorted.get(i).beginTicks() < sorted.get(i - 1).endTicks()) {
        runs.add(new ArchiveRun(chain, sorted.subList(begin, i), sorted.get(i - 1).endTicks()));
        begin = i;
      }
    }
    SegmentName last = sorted.get(sorted.size() - 1);
    ArchiveHead head = ArchiveHead.find(target, chain);
    long end = head != null && head.segment().equals(last) ? head.endTicks() : last.endTicks();
    runs.add(new ArchiveRun(chain, sorted.subList(begin, sorted.size()), end));
  }

  /** Lists the moments that can be restored, sorted by store and time. */
  public static List<Window> windows(BackupTarget target) throws IOException {
    List<BackupRecord> backups = bases(target);
    List<Window> windows = new ArrayList<>();
    for (ArchiveRun run : all(target)) {
      backups.stream()
          .filter(backup -> run.isBase(backup) && backup.endTicks() <= run.endTicks())
          .mapToLong(BackupRecord::endTicks)
          .min()
          .ifPresent(
              from ->
                  windows.add(
                      new Window(
                          run.store(), Ticks.toInstant(from), Ticks.toInstant(run.endTicks()))));
    }
    return windows;
  }

  /** Returns the backups that can be read and that know their place in the log. */
  static List<BackupRecord> bases(BackupTarget target) throws IOException {
    List<BackupRecord> found = new ArrayList<>();
    for (String id : target.ids()) {
      try {
        BackupRecord record = target.record(id);
        if (record.sequence() >= 0) {
          found.add(record);
        }
      } catch (BackupException e) {
        // Its own command reports a damaged record.
      }
    }
    return found;
  }

  String store() {
    return chain.substring(0, chain.indexOf('/'));
  }

  SegmentName first() {
    return segments.get(0);
  }

  SegmentName last() {
    return segments.get(segments.size() - 1);
  }

  /**
   * Returns whether the changes of the run can be applied to a backup. The time is compared too,
   * because a store that was repaired uses numbers again.
   */
  boolean isBase(BackupRecord backup) {
    return backup.sequence() >= first().first() - 1
        && backup.store().equals(store())
        && Ticks.of(backup.time()) >= first().beginTicks();
  }

  /**
   * Reads a segment.
   *
   * @param after the SHA-256 of the segment before; null if it is not known
   * @throws BackupException if it is damaged, or is not the one after that segment
   */
  Segment read(BackupTarget target, SegmentName name, @Nullable String after) throws IOException {
    String file = chain + "/" + name.text();
    try (InputStream in = target.openArchived(file)) {
      Segment segment = Segment.read(in);
      SegmentHead head = segment.head();
      if (!head.name().equals(name)
          || !chain.equals(head.store() + "/" + head.chain())
          || (after != null && !head.after().equals(after))) {
        throw new BackupException("it is not the segment that belongs here");
      }
      return segment;
    } catch (BackupException e) {
      throw new BackupException(
          "segment %s of the archive cannot be used: %s; everything up to %s can be restored"
              .formatted(file, e.getMessage(), Ticks.toInstant(name.beginTicks())),
          e);
    }
  }
}
