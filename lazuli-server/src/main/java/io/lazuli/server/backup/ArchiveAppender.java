package io.lazuli.server.backup;

import io.lazuli.storage.ChangeLog;
import io.lazuli.storage.StoreCut;
import io.lazuli.storage.Ticks;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Adds segments to the archive of one store. A segment refers to the one before, so that a missing
 * or exchanged one is found. Belongs to one thread. After a failure it is in an unknown state, and
 * another one must be opened.
 *
 * <p>Removing old backups ({@link BackupCheck}) could remove a chunk that was copied and that no
 * segment names yet. So the segment is written under a lock of the archives, after another look at
 * the chunks.
 */
public final class ArchiveAppender {
  private final BackupTarget target;
  private final ChangeLog log;
  private final String store;
  private final String writer = UUID.randomUUID().toString();
  private String chain = "";
  private String after = SegmentHead.NONE;
  private @Nullable SegmentName last;
  private ChangeLog.Place place = new ChangeLog.Place(0, 0);
  private long endTicks;
  private long lastTicks;

  private ArchiveAppender(BackupTarget target, ChangeLog log) throws IOException {
    this.target = target;
    this.log = log;
    this.store = log.store();
  }

  /**
   * Opens the archive of a store, and moves its log after the last change that the archive has.
   *
   * @return an appender without a chain ({@link #hasChain}) if there is no archive yet, or the log
   *     has lost changes
   */
  public static ArchiveAppender open(BackupTarget target, ChangeLog log) throws IOException {
    ArchiveAppender appender = new ArchiveAppender(target, log);
    target.openArchive(appender.store);
    appender.goOn();
    return appender;
  }

  private void goOn() throws IOException {
    List<ArchiveRun> runs =
        ArchiveRun.all(target).stream().filter(run -> run.store().equals(store)).toList();
    if (runs.isEmpty()) {
      return;
    }
    ArchiveRun newest = runs.get(runs.size() - 1);
    lastTicks = newest.endTicks();
    endTicks = newest.endTicks();
    Segment segment;
    try {
      segment = newest.read(target, newest.last(), null);
    } catch (BackupException e) {
      // Nothing can be added after a damaged segment, and a new chain can.
      return;
    }
    place = new ChangeLog.Place(newest.last().last(), segment.head().place());
    if (log.moveTo(place)) {
      chain = newest.chain();
      after = segment.sha256();
      last = newest.last();
      putHead(endTicks);
    }
  }

  /** Returns whether there is a chain that goes on. */
  public boolean hasChain() {
    return last != null;
  }

  /** Begins a chain with the changes from now on. */
  public void beginChain() throws IOException {
    place = log.moveToEnd();
    ChangeLog.Round round = log.begin();
    // The names of two chains differ by a millisecond at least.
    endTicks = Math.max(endTicks + Ticks.PER_SECOND / 1_000, round.ticks());
    lastTicks = endTicks;
    chain = store + "/" + BackupRun.id(Ticks.toInstant(endTicks));
    after = SegmentHead.NONE;
    last = null;
    put(segment(), endTicks);
  }

  /** Returns the end of the archive in ticks. */
  public long endTicks() {
    return endTicks;
  }

  /** Returns whether the chain has a backup, without which it is of no use. */
  public boolean hasBackup() throws IOException {
    SegmentName end = last;
    if (end == null) {
      return false;
    }
    for (ArchiveRun run : ArchiveRun.all(target)) {
      if (run.chain().equals(chain)
          && run.last().equals(end)
          && ArchiveRun.bases(target).stream().anyMatch(run::isBase)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the next segment, without changes. */
  public SegmentWriter segment() {
    return new SegmentWriter(
        store,
        chain.substring(chain.indexOf('/') + 1),
        after,
        log.format(),
        place,
        endTicks,
        lastTicks);
  }

  /** Copies the file of a chunk, and adds it to a segment. */
  public void copy(StoreCut.File chunk, SegmentWriter segment, Meter meter) throws IOException {
    segment.addChunk(chunk, target.put(() -> log.open(chunk), chunk.length(), meter));
  }

  /**
   * Stores a segment.
   *
   * @param toTicks the time up to which nothing is missing
   * @return its length
   */
  public long put(SegmentWriter segment, long toTicks) throws IOException {
    byte[] content = segment.encode(toTicks);
    SegmentName name = segment.name(toTicks);
    Closeable lock = target.lockArchives();
    try {
      requireOwn();
      for (FileEntry chunk : segment.chunks()) {
        if (!target.has(chunk.sha256(), chunk.length())) {
          String unused = target.put(() -> reopened(chunk), chunk.length(), new Meter(0));
        }
      }
      target.putArchived(chain + "/" + name.text(), content);
      if (last == null) {
        last = name;
        putHead(toTicks);
      }
    } finally {
      lock.close();
    }
    last = name;
    place = segment.place();
    after = Segment.sha256(content);
    endTicks = toTicks;
    lastTicks = Math.max(segment.lastTicks(), toTicks + 1);
    return content.length;
  }

  private SeekableByteChannel reopened(FileEntry chunk) throws IOException {
    return log.open(chunk.file());
  }

  /** Notes that nothing has changed since the last segment. */
  public void putNothing(long toTicks) throws IOException {
    requireOwn();
    putHead(toTicks);
    endTicks = toTicks;
    lastTicks = Math.max(lastTicks, toTicks + 1);
  }

  private void putHead(long toTicks) throws IOException {
    SegmentName segment = last;
    if (segment != null) {
      target.putArchived(
          chain + "/" + ArchiveHead.NAME, new ArchiveHead(writer, segment, toTicks).encode());
    }
  }

  /** Throws if another process writes the same chain: the data folder was copied. */
  private void requireOwn() throws IOException {
    ArchiveHead head = last == null ? null : ArchiveHead.find(target, chain);
    if (head != null && !head.writer().equals(writer)) {
      throw new BackupException(
          "another server adds to the archive of the same store in " + target.place());
    }
  }
}
