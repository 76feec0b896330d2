package io.lazuli.conformance.blob;

import java.io.InputStream;
import java.io.OutputStream;

/**
 * An endless sequence of bytes, computed from their positions. Tests upload a part of the sequence
 * and compare the download with the same part.
 */
public final class KnownBytes {

  private static final long FACTOR = 0x9E3779B97F4A7C15L;

  private final long seed;

  public KnownBytes(long seed) {
    this.seed = seed;
  }

  public byte at(long position) {
    return (byte) (((position >>> 3) * FACTOR + seed * FACTOR) >>> (8 * (position & 7)));
  }

  public byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    fill(bytes, 0, length, 0);
    return bytes;
  }

  private void fill(byte[] target, int from, int length, long position) {
    for (int i = 0; i < length; i++) {
      target[from + i] = at(position + i);
    }
  }

  /** Returns a stream of the first bytes of the sequence. They are never in memory all at once. */
  public InputStream stream(long length) {
    return new InputStream() {
      private long position;

      @Override
      public int read() {
        return position < length ? at(position++) & 0xff : -1;
      }

      @Override
      public int read(byte[] target, int from, int most) {
        if (position >= length) {
          return most == 0 ? 0 : -1;
        }
        int count = (int) Math.min(most, length - position);
        fill(target, from, count, position);
        position += count;
        return count;
      }
    };
  }

  /** Returns a stream that compares the bytes written to it and fails at the first difference. */
  public Comparison comparison() {
    return new Comparison();
  }

  /** Compares bytes and counts them. Used by one thread. */
  public final class Comparison extends OutputStream {
    private long position;

    public long length() {
      return position;
    }

    @Override
    public void write(int b) {
      if ((byte) b != at(position)) {
        throw new AssertionError("a different byte at " + position);
      }
      position++;
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
      for (int i = from; i < from + length; i++) {
        write(bytes[i]);
      }
    }
  }
}
