package io.lazuli.server.blob.encoding;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Position;
import io.lazuli.storage.Ticks;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The partitions of a container that are not blobs but indexes of its blobs. Their names begin with
 * {@code ff}, which no name of a blob contains, because names are UTF-8. So they come after all
 * blobs, and a drop of the container drops them, too.
 *
 * <p>A transaction changes one partition, so a blob and its index rows cannot change together. The
 * rule is that a row is written before the blob that needs it, and removed after the last blob that
 * needed it has changed. A reader of an index therefore finds every blob, and compares what it
 * finds with the blob itself.
 */
public final class IndexPartitions {
  private static final byte MARK = (byte) 0xff;

  /** The end of the names of blobs. Every scan of all blobs of a container ends here. */
  public static final Position END_OF_BLOBS = Position.startOf(Bytes.of(new byte[] {MARK}));

  /** Holds a row for each pending copy, under its id. */
  public static final Bytes COPIES = Bytes.of(new byte[] {MARK, 'c'});

  /** The start of the partitions that name blobs with soft-deleted states. */
  public static final Bytes DUE_REMOVALS = Bytes.of(new byte[] {MARK, 'x'});

  /**
   * Holds one row if all protected blobs of the container are in the index of protected blobs. It
   * is absent if an earlier version of the server was the first to protect a blob here. The names
   * of the index's other partitions begin with this one and go on with the name of a blob.
   */
  public static final Bytes PROTECTED = Bytes.of(new byte[] {MARK, 'h'});

  /** The end of the index of protected blobs. */
  public static final Position PROTECTED_END = Position.startOf(Bytes.of(new byte[] {MARK, 'i'}));

  /** The blobs with states that expire in one such period share a partition. */
  private static final long PERIOD_TICKS = 60 * Ticks.PER_SECOND;

  private IndexPartitions() {}

  /**
   * Returns the partition that names the blobs with states that expire about this time. Its rows
   * are due when the partition is: it is named after the end of its period.
   */
  public static Bytes dueRemovals(long endTicks) {
    return dueRemovalsAt((endTicks / PERIOD_TICKS + 1) * PERIOD_TICKS);
  }

  /** Returns the end of the partitions that are due at a time. */
  public static Bytes dueRemovalsEnd(long now) {
    return dueRemovalsAt(now + 1);
  }

  /** Returns the partition that names a protected blob. */
  public static Bytes protectedBlob(Bytes name) {
    return Bytes.of(
        ByteBuffer.allocate(PROTECTED.length() + name.length())
            .put(PROTECTED.array())
            .put(name.array())
            .array());
  }

  /** Returns true if a partition names a protected blob. */
  public static boolean isProtectedBlob(Bytes partition) {
    return partition.compareTo(PROTECTED) > 0 && partition.compareTo(PROTECTED_END.partition()) < 0;
  }

  /** Returns the name of the blob, given the partition that names it. */
  public static Bytes protectedName(Bytes partition) {
    byte[] name = partition.array();
    return Bytes.of(Arrays.copyOfRange(name, PROTECTED.length(), name.length));
  }

  private static Bytes dueRemovalsAt(long ticks) {
    return Bytes.of(
        ByteBuffer.allocate(DUE_REMOVALS.length() + Long.BYTES)
            .put(DUE_REMOVALS.array())
            .putLong(ticks)
            .array());
  }

  /**
   * Returns the name of an index partition.
   *
   * @param kind the letter of the index
   * @param rest the rest of the name, in ASCII
   */
  static Bytes named(char kind, String rest) {
    byte[] name = ("?" + kind + rest).getBytes(StandardCharsets.US_ASCII);
    name[0] = MARK;
    return Bytes.of(name);
  }
}
