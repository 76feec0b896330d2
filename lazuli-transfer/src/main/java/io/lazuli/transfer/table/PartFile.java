package io.lazuli.transfer.table;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.transfer.entity.Entity;
import io.lazuli.transfer.entity.EntityJson;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The output of one part. A page that failed is taken back; what was committed and forced is safe.
 * One worker writes; any thread may force.
 */
final class PartFile implements Closeable {
  private static final int BUFFER_CHARS = 32 * 1024;

  private final FileChannel channel;
  private final StringBuilder buffer = new StringBuilder();

  @GuardedBy("this")
  private long committed;

  private long uncommitted;

  /** Opens a file and cuts it to its complete part. */
  PartFile(Path file, long bytes) throws IOException {
    channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    committed = bytes;
    channel.truncate(bytes);
  }

  synchronized void rollBack() throws IOException {
    buffer.setLength(0);
    channel.truncate(committed);
    channel.position(committed);
    uncommitted = 0;
  }

  void write(Entity entity) throws IOException {
    EntityJson.writeLine(entity, buffer);
    buffer.append('\n');
    uncommitted++;
    if (buffer.length() >= BUFFER_CHARS) {
      flush();
    }
  }

  private void flush() throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(buffer.toString().getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
    buffer.setLength(0);
    if (buffer.capacity() > 8 * BUFFER_CHARS) {
      buffer.trimToSize();
    }
  }

  /** Returns the number of entities of the current page. */
  long uncommitted() {
    return uncommitted;
  }

  /** Ends a page; returns the length of the file. */
  long commit() throws IOException {
    flush();
    synchronized (this) {
      committed = channel.position();
      uncommitted = 0;
      return committed;
    }
  }

  void force() throws IOException {
    if (channel.isOpen()) {
      channel.force(false);
    }
  }

  @Override
  public void close() throws IOException {
    force();
    channel.close();
  }
}
