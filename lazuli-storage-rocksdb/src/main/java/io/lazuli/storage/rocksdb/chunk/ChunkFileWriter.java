package io.lazuli.storage.rocksdb.chunk;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.ChunkWriter;
import io.lazuli.storage.Partition;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.engine.LocalCall;
import io.lazuli.storage.rocksdb.disk.FileOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Writes the draft of a chunk. Its monitor is held during disk writes. */
final class ChunkFileWriter implements ChunkWriter {
  /**
   * A first write of at least this size bypasses the system's cache. Uploads arrive in smaller
   * pieces. The blocks of request logs are larger, and they are rarely read soon.
   */
  private static final int DIRECT_BYTES_MIN = 1 << 20;

  private final ChunkFiles store;
  private final ChunkRef ref;
  private final Partition owner;
  private final FileChannel channel;
  private final FileOutput output;
  private final CompletableFuture<Boolean> announced;

  @GuardedBy("this")
  private final BlockChecksums checksums = new BlockChecksums();

  @GuardedBy("this")
  private boolean open = true;

  @GuardedBy("this")
  private long length;

  private volatile long lastWriteTicks;

  /**
   * Makes the writer of an announced chunk.
   *
   * @param row the row that announces the chunk
   * @param announced completes when the row is durable
   */
  ChunkFileWriter(
      ChunkFiles store,
      ChunkRef ref,
      ChunkRow row,
      FileChannel channel,
      FileOutput output,
      CompletableFuture<Boolean> announced) {
    this.store = store;
    this.ref = ref;
    this.owner = row.owner();
    this.channel = channel;
    this.output = output;
    this.announced = announced;
    this.lastWriteTicks = row.ticks();
  }

  @Override
  public CompletableFuture<@Nullable Void> write(ByteBuffer bytes) {
    return LocalCall.<@Nullable Void>run(
        () -> {
          append(bytes);
          return null;
        });
  }

  private synchronized void append(ByteBuffer bytes) {
    requireOpen();
    checksums.update(bytes);
    boolean direct = length == 0 && bytes.remaining() >= DIRECT_BYTES_MIN;
    length += bytes.remaining();
    try {
      if (direct) {
        channel.position(store.writeDirect(ref, bytes, output));
      }
      while (bytes.hasRemaining()) {
        output.write(channel, bytes);
      }
      lastWriteTicks = store.now();
    } catch (IOException e) {
      close();
      throw store.failed("a chunk could not be written", e);
    }
  }

  @Override
  public synchronized long length() {
    return length;
  }

  @Override
  public CompletableFuture<ChunkRef> complete() {
    return LocalCall.run(this::publish);
  }

  private synchronized ChunkRef publish() {
    requireOpen();
    try {
      store.sync(channel, length);
      ChunkRows.await(announced);
      channel.close();
      Bytes sums = checksums.end();
      store.publish(ref, ChunkRow.completed(owner, store.now(), length, sums));
    } catch (IOException e) {
      close();
      throw store.failed("a chunk could not be completed", e);
    } catch (StorageException e) {
      endAfter(e);
      throw e;
    }
    open = false;
    store.ended(ref);
    return ref;
  }

  @Override
  public synchronized void close() {
    if (open) {
      abandon();
      store.discard(ref);
    }
  }

  /** Closes the file and leaves the draft and the row as they are. */
  synchronized void abandon() {
    if (open) {
      open = false;
      store.ended(ref);
      try {
        channel.close();
      } catch (IOException e) {
        throw ChunkFiles.unavailable("a chunk could not be closed", e);
      }
    }
  }

  long lastWriteTicks() {
    return lastWriteTicks;
  }

  /** Ends the writer after a failure. A chunk that may have become complete is not removed. */
  @GuardedBy("this")
  private void endAfter(StorageException failure) {
    if (failure.kind() == StorageException.Kind.UNKNOWN_OUTCOME) {
      abandon();
    } else {
      close();
    }
  }

  @GuardedBy("this")
  private void requireOpen() {
    store.now();
    if (!open) {
      throw new StorageException(StorageException.Kind.UNAVAILABLE, "the chunk is not open");
    }
  }
}
