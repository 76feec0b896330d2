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
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files of chunks. One that is being written is in {@code new}; once its bytes are synced it is
 * moved to its place, two folders deep, where it never changes again. Folders hold 1,024 chunks
 * that were begun one after the other, so a new folder, which costs two more syncs, is rare. With
 * relaxed durability nothing is synced. Safe for any number of threads.
 */
public final class ChunkFolder {
  private static final int FOLDER_BITS = 10;
  private static final int OUTER_DIGITS = 4;
  private static final int INNER_DIGITS = 3;
  private static final Pattern NAME = Pattern.compile("4[0-9a-f]{15}");

  private final Path root;
  private final Path drafts;
  private final boolean synced;
  private final DirectBlocks direct = new DirectBlocks();

  /** The folder that was made last, with its name durable. */
  @GuardedBy("this")
  private @Nullable Path ready;

  public ChunkFolder(Path root, Durability durability) {
    this.root = root;
    this.drafts = root.resolve("new");
    this.synced = durability == Durability.DISK;
  }

  /** Makes what has to be there. */
  void prepare() throws IOException {
    Files.createDirectories(drafts);
    sync(root);
  }

  /** The chunks that were being written when the folder was left. */
  List<ChunkRef> drafts() throws IOException {
    try (Stream<Path> files = Files.list(drafts)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(NAME.asMatchPredicate())
          .map(name -> new ChunkRef(HexFormat.fromHexDigitsToLong(name)))
          .toList();
    }
  }

  FileChannel createDraft(ChunkRef ref) throws IOException {
    return FileChannel.open(draft(ref), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  /**
   * Begins a draft with what can be written past the system's cache.
   *
   * @return how many bytes that is; the rest is for the draft's channel
   */
  int writeDirect(ChunkRef ref, ByteBuffer bytes, FileOutput output) {
    // Without syncs nothing should wait for the disk.
    return synced ? direct.write(draft(ref), bytes, output) : 0;
  }

  /** Brings a draft's bytes to disk. */
  void sync(FileChannel draft) throws IOException {
    if (synced) {
      draft.force(false);
    }
  }

  /** A draft with the bytes of another chunk, durable: the same file where the disk can do that. */
  void linkDraft(ChunkRef from, ChunkRef ref) throws IOException {
    try {
      Files.createLink(draft(ref), file(from));
    } catch (NoSuchFileException e) {
      throw e;
    } catch (UnsupportedOperationException | FileSystemException e) {
      // No links here, or too many to this file.
      copyDraft(from, ref);
    }
  }

  void copyDraft(ChunkRef from, ChunkRef ref) throws IOException {
    Files.copy(file(from), draft(ref));
    try (FileChannel channel = FileChannel.open(draft(ref), StandardOpenOption.WRITE)) {
      sync(channel);
    }
  }

  /** Moves a draft, whose bytes are synced, to its place; durable when it returns. */
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

  /** Removes files, in whatever state they are; durable when it returns. */
  void remove(List<ChunkRef> refs) throws IOException {
    Set<Path> changed = new HashSet<>();
    for (ChunkRef ref : refs) {
      removeDraft(ref);
      if (Files.deleteIfExists(file(ref))) {
        changed.add(folder(ref));
      }
    }
    for (Path folder : changed) {
      sync(folder);
    }
  }

  /** Others wait here: nobody may rely on a folder whose name could be lost. */
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
    return folder(ref).resolve(name(ref));
  }

  private Path folder(ChunkRef ref) {
    long counter = Space.counter(ref.number());
    long outer = counter >>> (2 * FOLDER_BITS);
    long inner = counter >>> FOLDER_BITS & ((1 << FOLDER_BITS) - 1);
    return root.resolve(hex(outer, OUTER_DIGITS)).resolve(hex(inner, INNER_DIGITS));
  }

  private static String hex(long number, int digits) {
    String text = Long.toHexString(number);
    return "0".repeat(Math.max(0, digits - text.length())) + text;
  }

  private static String name(ChunkRef ref) {
    return HexFormat.of().toHexDigits(ref.number());
  }
}
