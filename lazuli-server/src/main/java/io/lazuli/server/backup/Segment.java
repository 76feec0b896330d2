package io.lazuli.server.backup;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;

/** A segment of the archive that was read completely and is not damaged. */
final class Segment {
  /** A segment has at most this length: changes up to the bound, one more, and its chunks. */
  static final int BYTES_MAX = 512 << 20;

  private static final int DIGEST_BYTES = 32;

  /** Takes one change after another. */
  @FunctionalInterface
  interface ChangeVisitor {
    /**
     * Takes a change.
     *
     * @param last the number of the change
     * @return false to end
     */
    boolean visit(long ticks, long last, byte[] content) throws IOException;
  }

  private final SegmentHead head;
  private final byte[] bytes;
  private final int begin;
  private final String sha256;

  private Segment(SegmentHead head, byte[] bytes, int begin, String sha256) {
    this.head = head;
    this.bytes = bytes;
    this.begin = begin;
    this.sha256 = sha256;
  }

  /** Returns the name by which the next segment refers to an encoded one. */
  static String sha256(byte[] encoded) {
    return HexFormat.of().formatHex(encoded, encoded.length - DIGEST_BYTES, encoded.length);
  }

  /**
   * Reads a segment.
   *
   * @throws BackupException if it is damaged
   */
  static Segment read(InputStream in) throws IOException {
    byte[] bytes = in.readNBytes(BYTES_MAX);
    int end = bytes.length - DIGEST_BYTES;
    MessageDigest digest = Sha256.begin();
    digest.update(bytes, 0, Math.max(0, end));
    byte[] sum = digest.digest();
    if (end < 0 || !Arrays.equals(sum, 0, DIGEST_BYTES, bytes, end, bytes.length)) {
      throw new BackupException("it is damaged");
    }
    ByteArrayInputStream body = new ByteArrayInputStream(bytes, 0, end);
    SegmentHead head = SegmentHead.read(body);
    if (body.available() != head.bytes()) {
      throw new BackupException("it is damaged");
    }
    return new Segment(head, bytes, end - body.available(), HexFormat.of().formatHex(sum));
  }

  SegmentHead head() {
    return head;
  }

  /** Returns the name by which the next segment refers to this one. */
  String sha256() {
    return sha256;
  }

  /** Shows the changes. Returns false if the visitor ended the visit. */
  boolean forEach(ChangeVisitor visitor) throws IOException {
    ByteBuffer in = ByteBuffer.wrap(bytes, begin, (int) head.bytes());
    while (in.hasRemaining()) {
      long ticks = in.getLong();
      long last = in.getLong();
      byte[] content = new byte[in.getInt()];
      in.get(content);
      if (!visitor.visit(ticks, last, content)) {
        return false;
      }
    }
    return true;
  }
}
