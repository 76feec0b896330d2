package io.lazuli.storage.rocksdb.chunk;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.Durability;
import io.lazuli.storage.Space;
import io.lazuli.storage.rocksdb.disk.DataFolder;
import io.lazuli.storage.rocksdb.disk.DirectBlocks;
import io.lazuli.storage.rocksdb.disk.FileOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files of chunks. A file that is being written is in {@code new}. Once its bytes are synced,
 * it is moved to its final place, two folders deep, where it never changes again. Each folder holds
 * 1,024 chunks with consecutive numbers, so a new folder, which costs two more syncs, is rare. With
 * relaxed durability nothing is synced. Thread-safe.
 */
public final class ChunkFolder {
  private static final int FOLDER_BITS = 10;
  private static final int OUTER_DIGITS = 4;
  private static final int INNER_DIGITS = 3;
  private static final int PROBE_BYTES = 64 << 10;
  private static final Pattern NAME = Pattern.compile("4[0-9a-f]{15}");

  private final Path root;
  private final Path drafts;
  private final Path held;
  private final ChunkHold hold;
  private final boolean synced;
  private final DirectBlocks direct = new DirectBlocks();

  /** The folder that was created last; its name is durable. */
  @GuardedBy("this")
  private @Nullable Path ready;

  public ChunkFolder(Path root, Durability durability) {
    this(root, durability, false);
  }

  /**
   * @param keepsDeleted whether the files of deleted chunks stay until {@link ChunkHold#release}
   */
  public ChunkFolder(Path root, Durability durability, boolean keepsDeleted) {
    this.root = root;
    this.drafts = root.resolve("new");
    this.held = root.resolve("held");
    this.hold = new ChunkHold(root, held, keepsDeleted);
    this.synced = durability == Durability.DISK;
  }

  /** Creates the folder of drafts. */
  void prepare() throws IOException {
    hold.prepare();
    Files.createDirectories(drafts);
    sync(root);
  }

  /** Returns the chunks that were being written when the engine last stopped. */
  List<ChunkRef> drafts() throws IOException {
    return refs(drafts);
  }

  private static List<ChunkRef> refs(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(NAME.asMatchPredicate())
          .map(name -> new ChunkRef(HexFormat.fromHexDigitsToLong(name)))
          .toList();
    }
  }

  /** Shows the names of all files in their final place, one folder at a time. */
  void visit(Consumer<ChunkRef> visitor) throws IOException {
    for (Path outer : entries(root)) {
      if (!outer.equals(drafts) && !outer.equals(held) && Files.isDirectory(outer)) {
        for (Path inner : entries(outer)) {
          refs(inner).forEach(visitor);
        }
      }
    }
  }

  private static List<Path> entries(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.sorted().toList();
    }
  }

  /** Writes and syncs a small file and removes it, to find out whether files can be written. */
  void probe(FileOutput output) throws IOException {
    Path file = drafts.resolve("probe");
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.allocate(PROBE_BYTES);
      while (bytes.hasRemaining()) {
        output.write(channel, bytes);
      }
      sync(channel);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  FileChannel createDraft(ChunkRef ref) throws IOException {
    return FileChannel.open(draft(ref), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  /**
   * Writes as many of the first bytes of a draft as possible without the system's cache.
   *
   * @return the number of bytes written; the caller writes the rest to the draft's channel
   */
  int writeDirect(ChunkRef ref, ByteBuffer bytes, FileOutput output) {
    // With relaxed durability nothing should wait for the disk.
    return synced ? direct.write(draft(ref), bytes, output) : 0;
  }

  /** Syncs the bytes of a draft. */
  void sync(FileChannel draft) throws IOException {
    if (synced) {
      draft.force(false);
    }
  }

  /**
   * Makes a durable draft with the bytes of another chunk: a hard link if the disk supports it,
   * otherwise a copy.
   */
  void linkDraft(ChunkRef from, ChunkRef ref) throws IOException {
    try {
      Files.createLink(draft(ref), file(from));
    } catch (NoSuchFileException e) {
      throw e;
    } catch (UnsupportedOperationException | FileSystemException e) {
      // The disk does not support hard links, or the file already has too many.
      copyDraft(from, ref);
    }
  }

  void copyDraft(ChunkRef from, ChunkRef ref) throws IOException {
    Files.copy(file(from), draft(ref));
    try (FileChannel channel = FileChannel.open(draft(ref), StandardOpenOption.WRITE)) {
      sync(channel);
    }
  }

  /**
   * Moves a draft, whose bytes are synced, to its final place. The move is durable when this
   * returns.
   */
  void publish(ChunkRef ref) throws IOException {
    Path file = file(ref);
    Path folder = folder(ref);
    makeReady(folder);
    Files.move(draft(ref), file, StandardCopyOption.ATOMIC_MOVE);
    sync(folder);
  }

  FileChannel open(ChunkRef ref) throws IOException {
    return FileChannel.open(file(ref), StandardOpenOption.READ);
  }

  void removeDraft(ChunkRef ref) throws IOException {
    Files.deleteIfExists(draft(ref));
  }

  /** Keeps the files of deleted chunks until the result is closed. */
  ChunkHold hold() throws IOException {
    hold.begin();
    return hold;
  }

  /** Returns the path of a chunk's file below this folder, with slashes. */
  static String path(ChunkRef ref) {
    long counter = Space.counter(ref.number());
    long outer = counter >>> (2 * FOLDER_BITS);
    long inner = counter >>> FOLDER_BITS & ((1 << FOLDER_BITS) - 1);
    return hex(outer, OUTER_DIGITS) + "/" + hex(inner, INNER_DIGITS) + "/" + name(ref);
  }

  ChunkHold keptFiles() {
    return hold;
  }

  /** Removes the drafts and files of chunks. The removal is durable when this returns. */
  void remove(List<ChunkRef> refs) throws IOException {
    Set<Path> changed = new HashSet<>();
    for (ChunkRef ref : refs) {
      removeDraft(ref);
      if (hold.delete(file(ref))) {
        changed.add(folder(ref));
      }
    }
    for (Path folder : changed) {
      sync(folder);
    }
  }

  /**
   * Creates a folder and makes its name durable. Concurrent callers wait, because none may rely on
   * a folder whose name could still be lost.
   */
  private synchronized void makeReady(Path folder) throws IOException {
    if (!folder.equals(ready)) {
      Files.createDirectories(folder);
      sync(root);
      sync(folder.resolve("..").normalize());
      ready = folder;
    }
  }

  private void sync(Path folder) throws IOException {
    if (synced) {
      DataFolder.sync(folder);
    }
  }

  private Path draft(ChunkRef ref) {
    return drafts.resolve(name(ref));
  }

  Path file(ChunkRef ref) {
    return root.resolve(path(ref));
  }

  private Path folder(ChunkRef ref) {
    return file(ref).resolve("..").normalize();
  }

  private static String hex(long number, int digits) {
    String text = Long.toHexString(number);
    return "0".repeat(Math.max(0, digits - text.length())) + text;
  }

  private static String name(ChunkRef ref) {
    return HexFormat.of().toHexDigits(ref.number());
  }
}
