package io.lazuli.server.migration;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;

/** The files in which Azurite keeps the bytes of blobs and messages: many in each file. */
final class Extents {
  private static final int BUFFER_BYTES = 128 << 10;

  /** Where Azurite says that there are zeros, there is no file. */
  private static final String ZEROS = "*ZERO*";

  private final Path folder;

  Extents(Path folder) {
    this.folder = folder;
  }

  /** A part of an extent. */
  record Part(String id, long offset, long count) {
    static Part of(LokiDocument persistency) {
      return new Part(
          persistency.text("id"), persistency.number("offset"), persistency.number("count"));
    }
  }

  /**
   * Hands over the bytes of a part, piece by piece.
   *
   * @throws IOException if they are not all there; the message is for an operator
   */
  void read(Part part, Consumer<ByteBuffer> sink) throws IOException {
    if (part.count() == 0) {
      return;
    }
    if (part.id().equals(ZEROS) || !isName(part.id()) || part.offset() < 0 || part.count() < 0) {
      throw new IOException("the extent " + part.id() + " cannot be read");
    }
    try (FileChannel file = FileChannel.open(folder.resolve(part.id()), StandardOpenOption.READ)) {
      if (file.size() < part.offset() + part.count()) {
        throw new IOException("the extent " + part.id() + " is too short");
      }
      file.position(part.offset());
      copy(file, part.count(), sink);
    } catch (NoSuchFileException e) {
      throw new IOException("the extent " + part.id() + " is missing", e);
    }
  }

  private static void copy(FileChannel file, long count, Consumer<ByteBuffer> sink)
      throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    for (long left = count; left > 0; ) {
      buffer.clear().limit((int) Math.min(left, BUFFER_BYTES));
      int read = file.read(buffer);
      if (read < 0) {
        throw new IOException("an extent became shorter");
      }
      sink.accept(buffer.flip());
      left -= read;
    }
  }

  /** The small content of a message. */
  byte[] bytes(Part part) throws IOException {
    if (part.count() > Integer.MAX_VALUE / 2) {
      throw new IOException("the extent " + part.id() + " cannot be read");
    }
    ByteBuffer all = ByteBuffer.allocate((int) Math.max(0, part.count()));
    read(part, all::put);
    return all.array();
  }

  /** Extents are named by GUIDs: no name leads out of the folder. */
  private static boolean isName(String id) {
    return id.matches("[A-Za-z0-9-]{1,64}");
  }
}
