package io.lazuli.server.backup;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;

/**
 * The content of an object, compared with its length and its checksum once it was read. Used by one
 * thread.
 */
final class CheckedContent extends FilterInputStream {
  private static final int PIECE_BYTES = 64 << 10;

  private final FileEntry entry;
  private final Meter meter;
  private final MessageDigest digest = Sha256.begin();
  private long length;

  /**
   * @param meter counts the bytes and limits their rate
   */
  CheckedContent(InputStream in, FileEntry entry, Meter meter) {
    super(in);
    this.entry = entry;
    this.meter = meter;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] to, int offset, int count) throws IOException {
    int bytes = in.read(to, offset, count);
    if (bytes > 0) {
      digest.update(to, offset, bytes);
      length += bytes;
      meter.moved(bytes);
    }
    return bytes;
  }

  @Override
  public long skip(long count) throws IOException {
    return readNBytes((int) Math.min(count, PIECE_BYTES)).length;
  }

  @Override
  public boolean markSupported() {
    return false;
  }

  /**
   * Reads what is left.
   *
   * @throws BackupException if the content is not the one that was stored
   */
  void requireWhole() throws IOException {
    byte[] piece = new byte[PIECE_BYTES];
    while (read(piece, 0, piece.length) >= 0) {
      // The rest counts for the checksum only.
    }
    if (length != entry.length() || !Sha256.name(digest).equals(entry.sha256())) {
      throw new BackupException("the backup of " + entry.name() + " is damaged");
    }
  }
}
