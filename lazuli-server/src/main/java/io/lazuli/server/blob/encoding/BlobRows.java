package io.lazuli.server.blob.encoding;

import io.lazuli.server.blob.model.BlockId;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.LentBytes;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The keys of the rows in a blob's partition. The first byte of a key is the letter of its {@link
 * Kind}. Numbers follow as eight bytes, so that rows of a kind are in the order of their numbers.
 */
public final class BlobRows {
  /** The kinds of rows, in the order of their keys. */
  public enum Kind {
    /** The bytes of pages that are not in a chunk. Key: a number. */
    PAGE_BYTES('b'),
    /** A cleared range of a page blob. Key: the version of the content, the write number. */
    PAGE_CLEAR('c'),
    /** The bytes of a block that is not in a chunk. Key: a number. */
    BYTES('d'),
    /** A deleted state and the time of its removal. Key: that time, the row of the state. */
    DUE('e'),
    /**
     * The pages of an extent after a write. Key: the version of the content, the index of the
     * extent, the complement of the write number, so that the newest write comes first.
     */
    PAGE_EXTENT('f'),
    /** A mark: the chunk is about to be deleted and must not be published. Key: the chunk. */
    GONE_CHUNK('g'),
    /** A mark: the chunk holds pages. Key: the chunk. */
    PAGE_CHUNK('k'),
    /** A part of a block list. Key: the version of the content, the offset of the first byte. */
    SEGMENT('l'),
    /** A note: a range of extents may have rows that no state needs. Key: the write number. */
    PAGE_NOTE('n'),
    /** The properties of the blob. */
    PROPERTIES('p'),
    /** The summary of the former states, if there are any. */
    HISTORY('q'),
    /** A snapshot. Key: its ticks. */
    SNAPSHOT('s'),
    /** An uncommitted block. Key: the upload number, the block id. */
    UNCOMMITTED_BLOCK('u'),
    /** A previous version. Key: its ticks. */
    VERSION('v'),
    /**
     * A soft-deleted state. Key: {@code p} for the blob itself, {@code s} and ticks for a snapshot,
     * {@code v} and ticks for a version.
     */
    DELETED('x');

    private static final Kind[] ALL = values();

    private final byte letter;

    Kind(char letter) {
      this.letter = (byte) letter;
    }

    private static Kind of(byte letter) {
      for (Kind kind : ALL) {
        if (kind.letter == letter) {
          return kind;
        }
      }
      throw new IllegalStateException("a blob has a row of an unknown kind: " + letter);
    }
  }

  public static final Bytes PROPERTIES = first(Kind.PROPERTIES);

  /** The start of the notes about pages, oldest first; they end before {@link #PAGE_NOTES_END}. */
  public static final Bytes PAGE_NOTES = first(Kind.PAGE_NOTE);

  public static final Bytes PAGE_NOTES_END = end(Kind.PAGE_NOTE);

  /** The first row that can belong to a block list. */
  public static final Bytes SEGMENTS = first(Kind.SEGMENT);

  /** The start of the snapshots' rows, oldest first; they end before {@link #SNAPSHOTS_END}. */
  public static final Bytes SNAPSHOTS = first(Kind.SNAPSHOT);

  public static final Bytes SNAPSHOTS_END = end(Kind.SNAPSHOT);

  /** The row of the former states' summary, directly after the properties. */
  public static final Bytes HISTORY = first(Kind.HISTORY);

  /** The start of the previous versions' rows, oldest first. */
  public static final Bytes VERSIONS = first(Kind.VERSION);

  public static final Bytes VERSIONS_END = Bytes.of(new byte[] {(byte) (Kind.VERSION.letter + 1)});

  /** The row of the blob itself while it is soft-deleted. */
  public static final Bytes DELETED_BLOB = deleted(PROPERTIES);

  /** The start of the rows of soft-deleted snapshots, oldest first. */
  public static final Bytes DELETED_SNAPSHOTS = deleted(SNAPSHOTS);

  public static final Bytes DELETED_SNAPSHOTS_END = deleted(SNAPSHOTS_END);

  /** The start of the rows of soft-deleted versions, oldest first. */
  public static final Bytes DELETED_VERSIONS = deleted(VERSIONS);

  public static final Bytes DELETED_VERSIONS_END = deleted(VERSIONS_END);

  /** The start of the rows of due removals, in the order of their times. */
  public static final Bytes DUE = first(Kind.DUE);

  private BlobRows() {}

  /** Returns the kind of a row. */
  public static Kind kind(Bytes row) {
    return Kind.of(row.array()[0]);
  }

  /** Returns the kind of a row. */
  public static Kind kind(LentBytes row) {
    return Kind.of(row.array()[row.offset()]);
  }

  public static Bytes snapshot(long ticks) {
    return row(Kind.SNAPSHOT, ticks);
  }

  public static Bytes version(long ticks) {
    return row(Kind.VERSION, ticks);
  }

  /** Returns the row of a snapshot while it is soft-deleted. */
  public static Bytes deletedSnapshot(long ticks) {
    return deleted(snapshot(ticks));
  }

  /** Returns the row of a version while it is soft-deleted. */
  public static Bytes deletedVersion(long ticks) {
    return deleted(version(ticks));
  }

  /** Returns the row that the state of a row has while it is soft-deleted. */
  private static Bytes deleted(Bytes row) {
    return joined(first(Kind.DELETED), row);
  }

  /** Returns the row of a due removal. */
  public static Bytes due(long endTicks, Bytes deleted) {
    return joined(row(Kind.DUE, endTicks), deleted);
  }

  /** Returns the end of the rows of the removals that are due at a time. */
  public static Bytes dueEnd(long ticks) {
    return row(Kind.DUE, ticks + 1);
  }

  /** Returns the row of the deleted state in the row of its removal. */
  public static Bytes dueRow(Bytes due) {
    return Bytes.of(Arrays.copyOfRange(due.array(), 1 + Long.BYTES, due.length()));
  }

  /** Returns the ticks in the row of a soft-deleted snapshot or version. */
  public static long deletedTicks(Bytes row) {
    return number(row, 2);
  }

  /** Returns the kind that the state in the row of a soft-deleted one had before. */
  public static Kind deletedKind(Bytes row) {
    return Kind.of(row.array()[1]);
  }

  public static Bytes segment(long version, long start) {
    return row(Kind.SEGMENT, version, start);
  }

  /** Returns the start of a version's segments; they end before {@link #segmentsEnd}. */
  public static Bytes segments(long version) {
    return row(Kind.SEGMENT, version);
  }

  public static Bytes segmentsEnd(long version) {
    return row(Kind.SEGMENT, version + 1);
  }

  public static Bytes uncommitted(long upload, BlockId id) {
    byte[] row = Arrays.copyOf(upload(upload).array(), 1 + Long.BYTES + id.bytes().length());
    System.arraycopy(id.bytes().array(), 0, row, 1 + Long.BYTES, id.bytes().length());
    return Bytes.of(row);
  }

  /**
   * Returns the start of an upload's blocks, in the order of their ids; they end before {@link
   * #uploadEnd}.
   */
  public static Bytes upload(long upload) {
    return row(Kind.UNCOMMITTED_BLOCK, upload);
  }

  public static Bytes uploadEnd(long upload) {
    return row(Kind.UNCOMMITTED_BLOCK, upload + 1);
  }

  public static Bytes bytes(long number) {
    return row(Kind.BYTES, number);
  }

  public static Bytes goneChunk(long chunk) {
    return row(Kind.GONE_CHUNK, chunk);
  }

  public static Bytes pageBytes(long number) {
    return row(Kind.PAGE_BYTES, number);
  }

  public static Bytes pageChunk(long chunk) {
    return row(Kind.PAGE_CHUNK, chunk);
  }

  /** Returns the chunk in the key of its mark. */
  public static long pageChunkNumber(Bytes row) {
    return number(row, 1);
  }

  public static Bytes pageNote(long write) {
    return row(Kind.PAGE_NOTE, write);
  }

  public static Bytes pageClear(long version, long write) {
    return row(Kind.PAGE_CLEAR, version, write);
  }

  /** Returns the start of a version's cleared ranges; they end at those of the next version. */
  public static Bytes pageClears(long version) {
    return row(Kind.PAGE_CLEAR, version);
  }

  public static Bytes pageExtent(long version, long extent, long write) {
    return Bytes.of(
        ByteBuffer.allocate(1 + 3 * Long.BYTES)
            .put(Kind.PAGE_EXTENT.letter)
            .putLong(version)
            .putLong(extent)
            .putLong(~write)
            .array());
  }

  /** Returns the start of an extent's rows, newest first; they end at those of the next extent. */
  public static Bytes pageExtents(long version, long extent) {
    return row(Kind.PAGE_EXTENT, version, extent);
  }

  /** Returns the start of a version's extents; they end at those of the next version. */
  public static Bytes pageExtents(long version) {
    return row(Kind.PAGE_EXTENT, version);
  }

  /** Returns the version in the key of an extent or of a cleared range. */
  public static long pageVersion(Bytes row) {
    return number(row, 1);
  }

  /** Returns the index in the key of an extent. */
  public static long extentIndex(Bytes row) {
    return number(row, 1 + Long.BYTES);
  }

  /** Returns the write number in the key of an extent. */
  public static long extentWrite(Bytes row) {
    return ~number(row, 1 + 2 * Long.BYTES);
  }

  /** Returns the write number in the key of a cleared range. */
  public static long clearWrite(Bytes row) {
    return number(row, 1 + Long.BYTES);
  }

  /** Returns the write number in the key of a note about pages. */
  public static long noteWrite(Bytes row) {
    return number(row, 1);
  }

  /**
   * Returns the row at which a visitor continues that needs no further rows like the given one;
   * null if it needs all rows of that kind. Of page blobs, one extent of each version and one note
   * are enough.
   */
  public static @Nullable Bytes afterAlike(Bytes row) {
    Kind kind = kind(row);
    return switch (kind) {
      case PAGE_BYTES, PAGE_CHUNK, PAGE_NOTE -> end(kind);
      case PAGE_EXTENT -> pageExtents(pageVersion(row) + 1);
      case PAGE_CLEAR,
          BYTES,
          DUE,
          GONE_CHUNK,
          SEGMENT,
          PROPERTIES,
          HISTORY,
          SNAPSHOT,
          UNCOMMITTED_BLOCK,
          VERSION,
          DELETED ->
          null;
    };
  }

  /** Returns whether a row is a previous version. */
  public static boolean isVersion(Bytes row) {
    return row.length() > 0 && row.array()[0] == Kind.VERSION.letter;
  }

  /** Returns the ticks in the key of a previous version. */
  public static long versionTicks(Bytes row) {
    return number(row, 1);
  }

  /** Returns the ticks in the key of a snapshot. */
  public static long snapshotTicks(Bytes row) {
    return number(row, 1);
  }

  /** Returns the version in the key of a segment. */
  public static long segmentVersion(Bytes row) {
    return number(row, 1);
  }

  /** Returns the offset of the first byte of a segment. */
  public static long segmentStart(Bytes row) {
    return number(row, 1 + Long.BYTES);
  }

  /** Returns the upload number in the key of an uncommitted block. */
  public static long uploadNumber(Bytes row) {
    return number(row, 1);
  }

  /** Returns the number in the key of a row of bytes. */
  public static long bytesNumber(Bytes row) {
    return number(row, 1);
  }

  /** Returns the id in the key of an uncommitted block. */
  public static BlockId blockId(Bytes row) {
    return new BlockId(Bytes.of(Arrays.copyOfRange(row.array(), 1 + Long.BYTES, row.length())));
  }

  private static Bytes joined(Bytes first, Bytes second) {
    byte[] row = Arrays.copyOf(first.array(), first.length() + second.length());
    System.arraycopy(second.array(), 0, row, first.length(), second.length());
    return Bytes.of(row);
  }

  private static long number(Bytes row, int at) {
    return ByteBuffer.wrap(row.array()).getLong(at);
  }

  private static Bytes first(Kind kind) {
    return Bytes.of(new byte[] {kind.letter});
  }

  private static Bytes end(Kind kind) {
    return Bytes.of(new byte[] {(byte) (kind.letter + 1)});
  }

  private static Bytes row(Kind kind, long number, long second) {
    return Bytes.of(
        ByteBuffer.allocate(1 + 2 * Long.BYTES)
            .put(kind.letter)
            .putLong(number)
            .putLong(second)
            .array());
  }

  private static Bytes row(Kind kind, long number) {
    return Bytes.of(ByteBuffer.allocate(1 + Long.BYTES).put(kind.letter).putLong(number).array());
  }
}
