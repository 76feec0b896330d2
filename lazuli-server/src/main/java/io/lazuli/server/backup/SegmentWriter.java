package io.lazuli.server.backup;

import io.lazuli.storage.ChangeLog;
import io.lazuli.storage.StoreCut;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects changes for one segment of the archive. Belongs to one thread.
 *
 * <p>The times of changes that are written at the same moment may be in another order than the
 * changes. Here each change gets at least the time of the one before, so that an instant divides
 * the changes into those before and those after it.
 */
public final class SegmentWriter {
  private final String store;
  private final String chain;
  private final String after;
  private final int format;
  private final long first;
  private final long beginTicks;
  private final ByteArrayOutputStream changes = new ByteArrayOutputStream();
  private final List<FileEntry> chunks = new ArrayList<>();
  private long count;
  private ChangeLog.Place place;
  private long lastTicks;

  /**
   * @param after the SHA-256 of the segment before; {@link SegmentHead#NONE} for the first of a
   *     chain
   * @param place where the segment before ended
   * @param beginTicks the end of the segment before
   * @param lastTicks the time of the last change before; no change gets a lower one
   */
  SegmentWriter(
      String store,
      String chain,
      String after,
      int format,
      ChangeLog.Place place,
      long beginTicks,
      long lastTicks) {
    this.store = store;
    this.chain = chain;
    this.after = after;
    this.format = format;
    this.place = place;
    this.first = place.sequence() + 1;
    this.beginTicks = beginTicks;
    this.lastTicks = lastTicks;
  }

  /** Adds the next change. */
  public void add(ChangeLog.Change change) {
    lastTicks = Math.max(lastTicks, change.ticks());
    byte[] head =
        ByteBuffer.allocate(2 * Long.BYTES + Integer.BYTES)
            .putLong(lastTicks)
            .putLong(change.last())
            .putInt(change.content().length)
            .array();
    changes.writeBytes(head);
    changes.writeBytes(change.content());
    place = change.place();
    count++;
  }

  /** Adds the file of a chunk that a change completed and that the target has. */
  public void addChunk(StoreCut.File file, String sha256) {
    chunks.add(FileEntry.of(file, sha256));
  }

  public boolean isEmpty() {
    return count == 0;
  }

  public int bytes() {
    return changes.size();
  }

  /** Returns the place after the last change. */
  public ChangeLog.Place place() {
    return place;
  }

  /** Returns the time of the last change. */
  public long lastTicks() {
    return lastTicks;
  }

  List<FileEntry> chunks() {
    return chunks;
  }

  SegmentName name(long endTicks) {
    return new SegmentName(first, place.sequence(), beginTicks, endTicks);
  }

  /** Returns the segment; it ends with its SHA-256. */
  byte[] encode(long endTicks) {
    SegmentHead head =
        new SegmentHead(
            store,
            chain,
            after,
            format,
            name(endTicks),
            count,
            place.checksum(),
            changes.size(),
            chunks);
    ByteArrayOutputStream segment = new ByteArrayOutputStream(changes.size() + 4_096);
    segment.writeBytes(head.encode());
    segment.writeBytes(changes.toByteArray());
    MessageDigest digest = Sha256.begin();
    digest.update(segment.toByteArray());
    segment.writeBytes(digest.digest());
    return segment.toByteArray();
  }
}
