package io.lazuli.storage.rocksdb;

import io.lazuli.storage.StorageException;
import io.lazuli.storage.StoreCut;
import io.lazuli.storage.engine.EngineClock;
import io.lazuli.storage.rocksdb.chunk.ChunkFiles;
import io.lazuli.storage.rocksdb.chunk.ChunkHold;
import io.lazuli.storage.rocksdb.disk.DataFolder;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Checkpoint;
import org.rocksdb.RocksDBException;

/**
 * A cut of the store: a checkpoint of RocksDB in the folder {@code cut}, and the chunks that the
 * checkpoint names.
 *
 * <p>A checkpoint flushes the write buffers and then has hard links to all table files, so it takes
 * little space until compactions replace them. Its log has the writes that arrived during the
 * flush.
 *
 * <p>A chunk can be deleted while the cut is open. So the files of chunks are held from before the
 * checkpoint on: {@link ChunkHold} moves a file aside that would be deleted. A chunk whose row is
 * complete in the checkpoint was deleted, if at all, after the checkpoint, and its file is either
 * in its place or aside. The rows are read from the checkpoint, which is opened for reading,
 * because the rows of the store are newer.
 */
final class RocksDbCut implements StoreCut {
  private static final String DATABASE = "rocksdb";
  static final String CHUNKS = "chunks/";
  private static final String TABLE_ENDING = ".sst";
  private static final long READING_MEMORY_BYTES = 12 << 20;

  private final DataFolder folder;
  private final ChunkHold hold;
  private final Path root;
  private final String store;
  private final long ticks;
  private long endTicks;
  private long sequence;
  private final List<File> files = new ArrayList<>();
  private @Nullable NativeStore checkpoint;

  private RocksDbCut(DataFolder folder, ChunkHold hold, long ticks) throws IOException {
    this.folder = folder;
    this.hold = hold;
    this.root = folder.cut();
    this.store = folder.identity();
    this.ticks = ticks;
  }

  /**
   * Makes a cut. Waits until the write buffers are flushed; writers continue.
   *
   * @param clock the engine's time
   */
  static RocksDbCut make(NativeStore store, DataFolder folder, ChunkFiles chunks, EngineClock clock)
      throws IOException {
    ChunkHold hold = chunks.hold();
    try {
      RocksDbCut cut = new RocksDbCut(folder, hold, clock.wall());
      cut.fill(store);
      cut.endTicks = clock.wall();
      return cut;
    } catch (IOException | RuntimeException e) {
      hold.close();
      remove(folder.cut());
      throw e;
    }
  }

  private void fill(NativeStore from) throws IOException {
    remove(root);
    Files.createDirectories(root);
    Path database = root.resolve(DATABASE);
    try (Checkpoint maker = Checkpoint.create(from.db())) {
      maker.createCheckpoint(database.toString());
      folder.copyFormat(root);
      list(database);
      NativeStore opened = NativeStore.openReadOnly(database, READING_MEMORY_BYTES);
      checkpoint = opened;
      sequence = opened.publishedSequence();
    } catch (RocksDBException e) {
      throw new IOException("the store could not be cut: " + e.getMessage(), e);
    }
  }

  /** Notes the files of the checkpoint, before opening it adds others. */
  private void list(Path database) throws IOException {
    try (Stream<Path> found = Files.list(database)) {
      for (Path file : found.sorted().toList()) {
        String name = file.getFileName().toString();
        files.add(
            new File(
                DATABASE + "/" + name,
                Files.size(file),
                Files.getLastModifiedTime(file).to(TimeUnit.NANOSECONDS),
                name.endsWith(TABLE_ENDING)));
      }
    }
  }

  @Override
  public String store() {
    return store;
  }

  @Override
  public long ticks() {
    return ticks;
  }

  @Override
  public long endTicks() {
    return endTicks;
  }

  @Override
  public long sequence() {
    return sequence;
  }

  @Override
  public void forEach(FileVisitor visitor) throws IOException {
    Path format = root.resolve(DataFolder.FORMAT);
    visitor.visit(new File(DataFolder.FORMAT, Files.size(format), 0, false));
    NativeStore opened = checkpoint;
    if (opened == null) {
      throw new StorageException(StorageException.Kind.CLOSED, "the cut is closed");
    }
    visitChunks(opened, visitor);
    for (File file : files) {
      visitor.visit(file);
    }
  }

  /**
   * Shows the chunks. The rows are in the order of the folders, but the names in a folder are not
   * in the order of the rows, so the files of each folder are sorted.
   */
  static void visitChunks(NativeStore opened, FileVisitor visitor) throws IOException {
    byte[] from = ChunkFiles.firstRow();
    List<File> sameFolder = new ArrayList<>();
    try (RecordCursor cursor =
        new RecordCursor(opened, Family.BLOBS, from, ChunkFiles.endOfRows(), false)) {
      for (cursor.seek(from); cursor.isValid(); cursor.next()) {
        File chunk = ChunkFiles.describe(CHUNKS, cursor.copyKey(), cursor.copyValue());
        if (chunk != null) {
          if (!sameFolder.isEmpty() && !parent(sameFolder.get(0)).equals(parent(chunk))) {
            visitSorted(sameFolder, visitor);
          }
          sameFolder.add(chunk);
        }
      }
    }
    visitSorted(sameFolder, visitor);
  }

  private static String parent(File chunk) {
    return chunk.name().substring(0, chunk.name().lastIndexOf('/'));
  }

  private static void visitSorted(List<File> sameFolder, FileVisitor visitor) throws IOException {
    sameFolder.sort(Comparator.comparing(File::name));
    for (File chunk : sameFolder) {
      visitor.visit(chunk);
    }
    sameFolder.clear();
  }

  @Override
  public SeekableByteChannel open(File file) throws IOException {
    return file.name().startsWith(CHUNKS)
        ? hold.open(file.name().substring(CHUNKS.length()))
        : Files.newByteChannel(root.resolve(file.name()));
  }

  @Override
  public void close() {
    hold.close();
    if (checkpoint != null) {
      checkpoint.close();
      checkpoint = null;
    }
    try {
      remove(root);
    } catch (IOException e) {
      throw new StorageException(
          StorageException.Kind.UNAVAILABLE, "the cut could not be removed: " + e, e);
    }
  }

  /** Removes a cut that a killed process left. Its links keep table files that nobody needs. */
  static void remove(Path cut) throws IOException {
    try {
      Files.walkFileTree(
          cut,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.delete(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path left, @Nullable IOException failure)
                throws IOException {
              Files.delete(left);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (NoSuchFileException e) {
      // There is none.
    }
  }
}
