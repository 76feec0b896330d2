package io.lazuli.server.blob.encoding;

import io.lazuli.server.blob.model.BlockId;
import io.lazuli.storage.Bytes;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The rows of a blob's partition. A letter says what a row holds; numbers are eight bytes, so that
 * rows of a kind are in the order of their numbers. {@code p}: the properties. {@code s}, snapshot
 * ticks: a snapshot. {@code l}, version, start offset: a part of a block list. {@code u}, upload,
 * block id: an uncommitted block. {@code d}, number: bytes. {@code g}, chunk: a chunk that is about
 * to be deleted and must not be published any more.
 */
public final class BlobRows {
  public static final Bytes PROPERTIES = Bytes.of(new byte[] {'p'});

  /** Snapshots lie from here up to {@link #SNAPSHOTS_END}, oldest first. */
  public static final Bytes SNAPSHOTS = Bytes.of(new byte[] {'s'});

  public static final Bytes SNAPSHOTS_END = Bytes.of(new byte[] {'s' + 1});

  private BlobRows() {}

  public static Bytes snapshot(long ticks) {
    return row('s', ticks);
  }

  public static Bytes segment(long version, long start) {
    return Bytes.of(
        ByteBuffer.allocate(1 + 2 * Long.BYTES)
            .put((byte) 'l')
            .putLong(version)
            .putLong(start)
            .array());
  }

  /** The segments of a version lie from here up to {@link #segmentsEnd}. */
  public static Bytes segments(long version) {
    return row('l', version);
  }

  public static Bytes segmentsEnd(long version) {
    return row('l', version + 1);
  }

  public static Bytes uncommitted(long upload, BlockId id) {
    byte[] row = Arrays.copyOf(row('u', upload).array(), 1 + Long.BYTES + id.bytes().length());
    System.arraycopy(id.bytes().array(), 0, row, 1 + Long.BYTES, id.bytes().length());
    return Bytes.of(row);
  }

  /** The blocks of an upload lie from here up to {@link #uploadEnd}, in the order of their ids. */
  public static Bytes upload(long upload) {
    return row('u', upload);
  }

  public static Bytes uploadEnd(long upload) {
    return row('u', upload + 1);
  }

  public static Bytes bytes(long number) {
    return row('d', number);
  }

  public static Bytes goneChunk(long chunk) {
    return row('g', chunk);
  }

  /** The ticks of a snapshot's row. */
  public static long snapshotTicks(Bytes row) {
    return number(row, 1);
  }

  /** The version of a segment's row. */
  public static long segmentVersion(Bytes row) {
    return number(row, 1);
  }

  /** The offset at which the bytes of a segment begin. */
  public static long segmentStart(Bytes row) {
    return number(row, 1 + Long.BYTES);
  }

  /** The upload of an uncommitted block's row. */
  public static long uploadNumber(Bytes row) {
    return number(row, 1);
  }

  /** The number of a row of bytes. */
  public static long bytesNumber(Bytes row) {
    return number(row, 1);
  }

  /** The id of an uncommitted block's row. */
  public static BlockId blockId(Bytes row) {
    return new BlockId(Bytes.of(Arrays.copyOfRange(row.array(), 1 + Long.BYTES, row.length())));
  }

  private static long number(Bytes row, int at) {
    return ByteBuffer.wrap(row.array()).getLong(at);
  }

  private static Bytes row(char kind, long number) {
    return Bytes.of(ByteBuffer.allocate(1 + Long.BYTES).put((byte) kind).putLong(number).array());
  }
}
