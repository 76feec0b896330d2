package io.lazuli.storage.hbase.chunk;

import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.hbase.call.Rows;
import io.lazuli.storage.hbase.call.Steps;
import io.lazuli.storage.hbase.commit.Attempts;
import io.lazuli.storage.hbase.commit.OwnRows;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The files of a store's chunks. The first server that has a folder gives the store a name, which
 * is recorded in the catalogue and is the name of the store's folder in it. So no server uses the
 * files of another store, or looks for chunks where they are not. Never blocks, except while it is
 * opened. Thread-safe.
 */
public final class ChunkFiles implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final ChunkFolder folder;
  private final FileThreads threads;
  private final boolean onDisk;

  private ChunkFiles(ChunkFolder folder, FileThreads threads, boolean onDisk) {
    this.folder = folder;
    this.threads = threads;
    this.onDisk = onDisk;
  }

  /**
   * Opens the folder of the store.
   *
   * @param all the folder of the settings; null if there is none
   * @param onDisk whether a chunk is acknowledged when it is on disks, not only in memory
   * @param workers take over everything that follows a call
   * @return null if the store has no files
   * @throws EngineOpenException if the store has files and they are not in this folder
   */
  public static @Nullable ChunkFiles open(
      @Nullable ChunkFolder all, Attempts attempts, boolean onDisk, Executor workers) {
    Optional<String> known = name(attempts);
    if (all == null) {
      if (known.isPresent()) {
        throw new EngineOpenException(
            "this store has chunks in files: set lazuli.chunk.folder as on its other servers",
            null);
      }
      return null;
    }
    try {
      ChunkFolder folder = all.of(known.isPresent() ? known.get() : newName(all, attempts));
      if (!folder.exists()) {
        throw new EngineOpenException(
            "the folder of chunks " + folder + " is missing: correct lazuli.chunk.folder", null);
      }
      return new ChunkFiles(folder, new FileThreads(workers), onDisk);
    } catch (IOException e) {
      throw new EngineOpenException("the folder of chunks " + all + " cannot be used: " + e, e);
    }
  }

  /** Returns true if the store has a name, so that chunks may be in files. */
  static CompletableFuture<Boolean> exist(Rows rows, Deadline deadline) {
    return Steps.map(rows.read(OwnRows.STORE, OwnRows.FILES, deadline), cell -> cell.isRecord());
  }

  private static Optional<String> name(Attempts attempts) {
    return Steps.await(
        attempts.run(
            OwnRows.STORE,
            Deadline.after(TIMEOUT),
            view ->
                Optional.ofNullable(view.condition(OwnRows.FILES).value()).map(ChunkFiles::text)));
  }

  /** Makes a folder and then records it, unless another server was faster. */
  private static String newName(ChunkFolder all, Attempts attempts) throws IOException {
    String fresh = UUID.randomUUID().toString();
    ChunkFolder mine = all.of(fresh);
    mine.make();
    String recorded =
        Steps.await(
            attempts.run(
                OwnRows.STORE,
                Deadline.after(TIMEOUT),
                view -> {
                  byte[] stored = view.condition(OwnRows.FILES).value();
                  if (stored == null) {
                    view.putOwn(OwnRows.FILES, bytes(fresh));
                    return fresh;
                  }
                  return text(stored);
                }));
    if (!recorded.equals(fresh)) {
      mine.remove();
    }
    return recorded;
  }

  /** Returns the value of {@link OwnRows#FILES} for a name. */
  public static byte[] bytes(String name) {
    return name.getBytes(StandardCharsets.US_ASCII);
  }

  /** Returns the name in a value of {@link OwnRows#FILES}. */
  public static String text(byte[] stored) {
    return new String(stored, StandardCharsets.US_ASCII);
  }

  /** Returns the folder, for background work that may block. */
  public ChunkFolder folder() {
    return folder;
  }

  PieceWriter writer(ChunkRef ref) {
    return new ChunkFileWriter(folder, threads, ref, onDisk);
  }

  PieceReader reader(ChunkRef ref, ChunkHeader header) {
    return new ChunkFileReader(folder, threads, ref, header);
  }

  /** Removes the file of a chunk, if there is one. */
  CompletableFuture<Boolean> delete(ChunkRef ref) {
    return threads.write(
        () -> {
          folder.delete(ref);
          return true;
        });
  }

  @Override
  public void close() {
    threads.close();
  }
}
