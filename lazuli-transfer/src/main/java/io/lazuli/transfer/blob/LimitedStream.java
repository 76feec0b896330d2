package io.lazuli.transfer.blob;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** The first bytes of another stream. */
final class LimitedStream extends FilterInputStream {
  private long left;

  LimitedStream(InputStream in, long bytes) {
    super(in);
    this.left = bytes;
  }

  @Override
  public int read() throws IOException {
    if (left == 0) {
      return -1;
    }
    int b = super.read();
    left -= b < 0 ? 0 : 1;
    return b;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (left == 0) {
      return -1;
    }
    int count = super.read(bytes, offset, (int) Math.min(left, length));
    left -= Math.max(0, count);
    return count;
  }
}
