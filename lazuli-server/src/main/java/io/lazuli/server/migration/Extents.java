package io.lazuli.server.migration;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Azurite's extents: files that each hold the bytes of many blobs or messages. */
final class Extents {
  private static final int BUFFER_BYTES = 128 << 10;

  /** The id of a range of zeros, for which Azurite has no file. */
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

    /**
     * Returns the parts that hold the content of a blob, block or message; an empty list if there
     * is no content. When an empty block list replaces a blob, Azurite keeps the position of the
     * old content but no longer reads it.
     */
    static List<Part> allOf(LokiDocument owner) {
      List<LokiDocument> blocks = owner.documents("committedBlocksInOrder");
      boolean empty = owner.document("properties").number("contentLength") == 0;
      if (blocks.isEmpty() && (empty || !owner.has("persistency"))) {
        return List.of();
      }
      return (blocks.isEmpty() ? List.of(owner) : blocks)
          .stream().map(each -> of(each.document("persistency"))).toList();
    }
  }

  /**
   * Passes the bytes of a part to a sink, piece by piece.
   *
   * @throws IOException if some bytes are missing; the message is for an operator
   */
  void read(Part part, Consumer<ByteBuffer> sink) throws IOException {
    if (part.count() == 0) {
      return;
    }
    String flaw =
        part.offset() < 0 || part.count() < 0
            ? unreadable(part.id())
            : flaw(part.id(), part.offset() + part.count());
    if (flaw != null) {
      throw new IOException(flaw);
    }
    try (FileChannel file = FileChannel.open(folder.resolve(part.id()), StandardOpenOption.READ)) {
      file.position(part.offset());
      copy(file, part.count(), sink);
    }
  }

  /**
   * Returns why an extent does not have that many bytes, as a text for an operator; null if it has
   * them.
   */
  @Nullable String flaw(String id, long length) {
    if (id.equals(ZEROS) || !isName(id)) {
      return unreadable(id);
    }
    try {
      return Files.size(folder.resolve(id)) < length ? "the extent " + id + " is too short" : null;
    } catch (NoSuchFileException e) {
      return "the extent " + id + " is missing";
    } catch (IOException e) {
      return unreadable(id) + ": " + e;
    }
  }

  private static String unreadable(String id) {
    return "the extent " + id + " cannot be read";
  }

  private static void copy(FileChannel file, long count, Consumer<ByteBuffer> sink)
      throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    for (long left = count; left > 0; ) {
      buffer.clear().limit((int) Math.min(left, BUFFER_BYTES));
      int read = file.read(buffer);
      if (read < 0) {
        throw new IOException("an extent was truncated during the import");
      }
      sink.accept(buffer.flip());
      left -= read;
    }
  }

  /** Returns the content of a message. */
  byte[] bytes(Part part) throws IOException {
    if (part.count() > Integer.MAX_VALUE / 2) {
      throw new IOException(unreadable(part.id()));
    }
    ByteBuffer all = ByteBuffer.allocate((int) Math.max(0, part.count()));
    read(part, all::put);
    return all.array();
  }

  /**
   * Returns whether an id is a file name. Azurite uses GUIDs, so no valid name leads out of the
   * folder.
   */
  private static boolean isName(String id) {
    return id.matches("[A-Za-z0-9-]{1,64}");
  }
}
