package io.lazuli.transfer.format;

import io.lazuli.transfer.http.TransferException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;

/** Reads the lines of a file as bytes, and knows where each of them starts. Mutable. */
public final class Lines implements Closeable {
  private final Path file;
  private final FileChannel channel;
  private final int lineBytesMax;
  private final ByteBuffer read = ByteBuffer.allocate(64 * 1024).limit(0);
  private byte[] line = new byte[4096];
  private int length;
  private long start;
  private long position;

  public Lines(Path file, long position, int lineBytesMax) throws IOException {
    this.file = file;
    this.channel = FileChannel.open(file);
    this.lineBytesMax = lineBytesMax;
    this.position = position;
    channel.position(position);
  }

  /** Reads the next line, or the rest of the file; returns false at the end. */
  public boolean next() throws IOException {
    start = position;
    length = 0;
    while (true) {
      if (!read.hasRemaining() && !fill()) {
        return position > start;
      }
      byte b = read.get();
      position++;
      if (b == '\n') {
        return true;
      }
      if (length == line.length) {
        grow();
      }
      line[length++] = b;
    }
  }

  private boolean fill() throws IOException {
    read.clear();
    int count = channel.read(read);
    read.flip();
    return count > 0;
  }

  private void grow() {
    if (length >= lineBytesMax) {
      throw new TransferException(
          file + ", the line at byte " + start + ": longer than " + lineBytesMax + " bytes");
    }
    line = Arrays.copyOf(line, Math.min(lineBytesMax, line.length * 2));
  }

  /** Returns whether the line has nothing but white space. */
  public boolean isBlank() {
    for (int i = 0; i < length; i++) {
      if (line[i] > ' ' || line[i] < 0) {
        return false;
      }
    }
    return true;
  }

  /** Returns the buffer with the line, which the next line overwrites. */
  public byte[] bytes() {
    return line;
  }

  public int length() {
    return length;
  }

  /** Returns the place of the first byte of the line. */
  public long start() {
    return start;
  }

  /** Returns the place after the line. */
  public long position() {
    return position;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
