package io.lazuli.storage.rocksdb.chunk;

import io.lazuli.storage.ChunkReader;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.ChunkStore;
import io.lazuli.storage.ChunkWriter;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.StoreCut;
import io.lazuli.storage.StoredChunk;
import io.lazuli.storage.engine.LocalCall;
import io.lazuli.storage.rocksdb.disk.FileOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores each chunk as one immutable file, with a row that names its owner. Thread-safe.
 *
 * <h2>What a crash can leave</h2>
 *
 * Writing a chunk takes these steps: a row announces the chunk; its bytes are written to a draft
 * and synced; the announcement becomes durable; the draft is moved to its final place and the
 * folder is synced; the row is marked complete and synced. Deleting takes the opposite steps: the
 * row is marked incomplete, the file is deleted, the folder is synced, the row is deleted. So a
 * complete row has a whole file. A file in its final place has a row, so that reading the rows
 * finds every file. Only a draft may have no row; {@link #removeStaleDrafts} looks for such drafts
 * at the start; there are at most as many as there were writers. The row decides what a chunk is:
 * nobody reads a file whose row is not complete.
 *
 * <p>The announcement is synced while the bytes arrive. So a chunk costs one sync of its file, one
 * of its folder, and two of the log, which it shares with other writers.
 */
public final class ChunkFiles implements ChunkStore, AutoCloseable {
  /** The maximum number of files that are open for writing. */
  public static final int WRITERS_MAX = 512;

  /**
   * The maximum number of files that are open for reading. A process can open a limited number of
   * files, and RocksDB needs some of them.
   */
  public static final int READERS_MAX = 1_024;

  /**
   * Chunks of this size and larger are synced one at a time. Smaller chunks are synced concurrently
   * and share the commits of the file system.
   */
  private static final int LARGE_BYTES_MIN = 4 << 20;

  private static final long PROBE_PERIOD_NANOS = 1_000_000_000;

  /** The maximum number of rows that are deleted in one transaction. */
  private static final int DELETED_AT_ONCE_MAX = 1_000;

  private static final Logger LOG = LoggerFactory.getLogger(ChunkFiles.class);

  private final StorageEngine engine;
  private final ChunkFolder folder;
  private final ChunkRows rows;
  private final FileOutput output;
  private final Map<ChunkRef, ChunkFileWriter> writers = new ConcurrentHashMap<>();
  private final Semaphore freeWriters = new Semaphore(WRITERS_MAX);
  private final Semaphore freeReaders = new Semaphore(READERS_MAX);
  private final Object largeSync = new Object();
  private final ChunkHealth health = new ChunkHealth();
  private final AtomicLong nextProbeNanos = new AtomicLong(System.nanoTime());

  /**
   * @param engine stores the rows, is the source of times and numbers, and throws once it is closed
   * @param output writes to files; tests replace it to simulate failures
   */
  public ChunkFiles(StorageEngine engine, ChunkFolder folder, FileOutput output) {
    this.engine = engine;
    this.folder = folder;
    this.rows = new ChunkRows(engine);
    this.output = output;
  }

  /**
   * Removes drafts whose announcement was not synced before a power cut, and drafts that a file
   * system kept in addition to the file that they became. Called at the start.
   */
  public void removeStaleDrafts() throws IOException {
    folder.prepare();
    for (ChunkRef ref : folder.drafts()) {
      ChunkRow row = rows.find(ref);
      if (row == null || row.complete()) {
        folder.removeDraft(ref);
      }
    }
  }

  /** Shows the files in their final place that have no row; there should be none. Blocks. */
  public void visitStrays(Consumer<Path> visitor) throws IOException {
    folder.visit(
        ref -> {
          if (!isKnown(ref) && Files.exists(folder.file(ref))) {
            visitor.accept(folder.file(ref));
          }
        });
  }

  /** A row that cannot be read is damage of the row, and its file is not a stray. */
  private boolean isKnown(ChunkRef ref) {
    try {
      return rows.find(ref) != null;
    } catch (StorageException e) {
      if (e.kind() != StorageException.Kind.CORRUPT) {
        throw e;
      }
      return true;
    }
  }

  @Override
  public CompletableFuture<ChunkWriter> append(Partition owner) {
    return LocalCall.run(() -> begin(owner));
  }

  private ChunkWriter begin(Partition owner) {
    acquire(freeWriters, "too many chunks are open for writing");
    try {
      ChunkRef ref = newRef();
      ChunkRow row = ChunkRow.announced(owner, engine.now());
      FileChannel channel = folder.createDraft(ref);
      CompletableFuture<Boolean> announced = rows.put(ref, row);
      ChunkFileWriter writer = new ChunkFileWriter(this, ref, row, channel, output, announced);
      writers.put(ref, writer);
      return writer;
    } catch (IOException e) {
      freeWriters.release();
      throw failed("a chunk could not be started", e);
    } catch (StorageException e) {
      freeWriters.release();
      throw e;
    }
  }

  @Override
  public CompletableFuture<@Nullable ChunkReader> open(ChunkRef ref) {
    return LocalCall.<@Nullable ChunkReader>run(() -> openChecked(ref));
  }

  private @Nullable ChunkFileReader openChecked(ChunkRef ref) {
    ChunkRow row = rows.find(ref);
    if (row == null || !row.complete()) {
      return null;
    }
    acquire(freeReaders, "too many chunks are open for reading");
    ChunkFileReader reader = null;
    try {
      reader = openFile(ref, row);
    } catch (NoSuchFileException e) {
      requireDeleted(ref, e);
    } catch (IOException e) {
      throw failed("a chunk could not be opened", e);
    } finally {
      if (reader == null) {
        freeReaders.release();
      }
    }
    return reader;
  }

  private ChunkFileReader openFile(ChunkRef ref, ChunkRow row) throws IOException {
    FileChannel channel = folder.open(ref);
    if (channel.size() != row.length()) {
      channel.close();
      throw damaged(ref, "does not have the length that was written", null);
    }
    return new ChunkFileReader(this, ref, row, channel);
  }

  @Override
  public CompletableFuture<@Nullable ChunkRef> copy(ChunkRef ref, Partition owner) {
    return LocalCall.<@Nullable ChunkRef>run(() -> copyChecked(ref, owner));
  }

  /** Copies a chunk after it was checked, so that a copy is never made of damaged bytes. */
  private @Nullable ChunkRef copyChecked(ChunkRef ref, Partition owner) {
    ChunkRow row;
    try (ChunkFileReader reader = openChecked(ref)) {
      if (reader == null) {
        return null;
      }
      reader.verifyAll();
      row = reader.row();
    }
    ChunkRef copy = newRef();
    ChunkRows.await(rows.put(copy, ChunkRow.announced(owner, engine.now())));
    try {
      folder.linkDraft(ref, copy);
      publish(copy, ChunkRow.completed(owner, engine.now(), row.length(), row.checksums()));
      return copy;
    } catch (NoSuchFileException e) {
      discard(copy);
      requireDeleted(ref, e);
      return null;
    } catch (IOException e) {
      discard(copy);
      throw failed("a chunk could not be copied", e);
    }
  }

  @Override
  public CompletableFuture<@Nullable Void> delete(List<ChunkRef> refs) {
    return LocalCall.<@Nullable Void>run(
        () -> {
          deleteAll(refs);
          return null;
        });
  }

  private void deleteAll(List<ChunkRef> refs) {
    for (ChunkRef ref : refs) {
      ChunkFileWriter writer = writers.get(ref);
      if (writer != null) {
        writer.close();
      }
    }
    for (int from = 0; from < refs.size(); from += DELETED_AT_ONCE_MAX) {
      deleteSome(refs.subList(from, Math.min(refs.size(), from + DELETED_AT_ONCE_MAX)));
    }
  }

  private void deleteSome(List<ChunkRef> refs) {
    rows.retract(refs);
    try {
      folder.remove(refs);
    } catch (IOException e) {
      throw failed("chunks could not be deleted", e);
    }
    rows.remove(refs);
    health.deleted(refs);
  }

  @Override
  public CompletableFuture<List<StoredChunk>> list(@Nullable ChunkRef after, int max) {
    return LocalCall.run(() -> rows.list(after, max).stream().map(this::show).toList());
  }

  /**
   * Abandons the chunks that are being written, as a crash would. Their files are not changed any
   * more.
   */
  @Override
  public void close() {
    writers.values().forEach(ChunkFileWriter::abandon);
  }

  /**
   * Returns one line about damage that was found and about files that cannot be written; empty if
   * nothing is wrong. While files cannot be written, it tries to write one, at most once a second.
   */
  public String fault() {
    if (health.hasTrouble() && isProbeDue()) {
      try {
        folder.probe(output);
        health.worked();
      } catch (IOException e) {
        // The trouble is not over, and the message of the first failure is still right.
      }
    }
    return health.fault();
  }

  /** Keeps the files of deleted chunks until the result is closed. */
  public ChunkHold hold() throws IOException {
    return folder.hold();
  }

  /** Returns the files of deleted chunks that are kept, if {@link ChunkFolder} is to keep them. */
  public ChunkHold keptFiles() {
    return folder.keptFiles();
  }

  /** Returns the encoded key before the rows of all chunks. */
  public static byte[] firstRow() {
    return ChunkRows.first();
  }

  /** Returns the encoded key after the rows of all chunks. */
  public static byte[] endOfRows() {
    return ChunkRows.end();
  }

  /**
   * Describes the file of a chunk for a cut; null if the chunk is not complete.
   *
   * @param prefix the beginning of the file's name
   * @param key the encoded key of the chunk's row
   * @param value the row
   */
  public static StoreCut.@Nullable File describe(String prefix, byte[] key, byte[] value) {
    ChunkRow row = ChunkRow.decode(value);
    return row.complete()
        ? new StoreCut.File(
            prefix + ChunkFolder.path(ChunkRows.ref(key)), row.length(), row.ticks(), true)
        : null;
  }

  /** Returns how often damage was found since the start. */
  public long damageFound() {
    return health.found();
  }

  private boolean isProbeDue() {
    long due = nextProbeNanos.get();
    long now = System.nanoTime();
    return now - due >= 0 && nextProbeNanos.compareAndSet(due, now + PROBE_PERIOD_NANOS);
  }

  /** Returns the engine's time. */
  long now() {
    return engine.now();
  }

  /**
   * Writes as many of the first bytes of a draft as possible without the system's cache. Returns
   * their number.
   */
  int writeDirect(ChunkRef ref, ByteBuffer bytes, FileOutput with) {
    return folder.writeDirect(ref, bytes, with);
  }

  /**
   * Makes a draft durable. Large drafts are synced one after another: syncing several at a time is
   * not faster, and it slows the syncs of the log.
   */
  void sync(FileChannel draft, long length) throws IOException {
    if (length < LARGE_BYTES_MIN) {
      folder.sync(draft);
      return;
    }
    synchronized (largeSync) {
      folder.sync(draft);
    }
  }

  /**
   * Moves a synced draft, whose announcement is durable, to its final place and completes its row.
   */
  void publish(ChunkRef ref, ChunkRow row) throws IOException {
    folder.publish(ref);
    health.worked();
    try {
      ChunkRows.await(rows.put(ref, row));
    } catch (StorageException e) {
      if (e.kind() != StorageException.Kind.UNKNOWN_OUTCOME) {
        discard(ref);
      }
      throw e;
    }
  }

  /** Called when a writer has ended, whether it completed its chunk or not. */
  void ended(ChunkRef ref) {
    writers.remove(ref);
    freeWriters.release();
  }

  /**
   * Removes the files and the row of a chunk. If that fails, listings show the chunk as not
   * complete.
   */
  void discard(ChunkRef ref) {
    try {
      folder.remove(List.of(ref));
      rows.remove(List.of(ref));
    } catch (IOException | StorageException e) {
      LOG.warn("an unfinished chunk stays until the collector removes it: {}", e.getMessage());
    }
  }

  static StorageException unavailable(String what, IOException cause) {
    return new StorageException(
        StorageException.Kind.UNAVAILABLE, what + ": " + cause.getMessage(), cause);
  }

  /** Notes that files cannot be written or opened, and returns the failure for the caller. */
  StorageException failed(String what, IOException cause) {
    StorageException failure = unavailable(what, cause);
    if (!(cause instanceof ClosedChannelException)) {
      health.failed("" + failure.getMessage());
    }
    return failure;
  }

  /** Notes that the bytes of a chunk cannot be read, and returns the failure for the caller. */
  StorageException unreadable(ChunkRef ref, IOException cause) {
    if (!(cause instanceof ClosedChannelException)) {
      health.damaged(ref, describe(ref, "cannot be read: " + cause.getMessage()));
    }
    return unavailable("a chunk could not be read", cause);
  }

  /** Notes that a chunk is damaged, and returns the failure for the caller. */
  StorageException damaged(ChunkRef ref, String how, @Nullable Throwable cause) {
    String message = describe(ref, how);
    health.damaged(ref, message);
    return new StorageException(StorageException.Kind.CORRUPT, message, cause);
  }

  private String describe(ChunkRef ref, String how) {
    return "chunk %016x (%s) %s".formatted(ref.number(), folder.file(ref), how);
  }

  void readerEnded() {
    freeReaders.release();
  }

  /**
   * Throws if the row of a missing file is still complete, because then the file was lost and not
   * deleted.
   */
  private void requireDeleted(ChunkRef ref, NoSuchFileException cause) {
    ChunkRow row = rows.find(ref);
    if (row != null && row.complete()) {
      throw damaged(ref, "has lost its file", cause);
    }
  }

  private StoredChunk show(ChunkRows.Entry entry) {
    ChunkRow row = entry.row();
    ChunkFileWriter writer = writers.get(entry.ref());
    long ticks = row.complete() || writer == null ? row.ticks() : writer.lastWriteTicks();
    return new StoredChunk(entry.ref(), row.owner(), row.complete(), ticks, row.length());
  }

  private ChunkRef newRef() {
    return new ChunkRef(LocalCall.result(engine.newSpace(SpaceKind.CHUNKS, Deadline.NEVER)));
  }

  private static void acquire(Semaphore permits, String refusal) {
    if (!permits.tryAcquire()) {
      throw new StorageException(StorageException.Kind.UNAVAILABLE, refusal);
    }
  }
}
