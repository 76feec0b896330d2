package io.lazuli.storage.segment;

import io.lazuli.storage.ChunkReader;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.ChunkStore;
import io.lazuli.storage.ChunkWriter;
import io.lazuli.storage.Partition;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.StoredChunk;
import io.lazuli.storage.engine.LocalCall;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Reads chunks from the files of a cut. Every other call fails. */
final class FileChunks implements ChunkStore {
  private final SegmentSource source;

  FileChunks(SegmentSource source) {
    this.source = source;
  }

  @Override
  public CompletableFuture<@Nullable ChunkReader> open(ChunkRef ref) {
    return LocalCall.<@Nullable ChunkReader>run(
        () -> {
          Path file = source.file(ref);
          try (InputStream in = Files.newInputStream(file)) {
            int head = ChunkHead.read(in).length();
            return new Reader(FileChannel.open(file), head);
          } catch (NoSuchFileException e) {
            return null;
          } catch (IOException e) {
            throw unreadable(e);
          }
        });
  }

  private static StorageException unreadable(IOException e) {
    return new StorageException(
        StorageException.Kind.UNAVAILABLE, "the file of a chunk cannot be read: " + e, e);
  }

  /** An open file. */
  private static final class Reader implements ChunkReader {
    private final FileChannel file;
    private final int head;
    private final long length;

    Reader(FileChannel file, int head) throws IOException {
      this.file = file;
      this.head = head;
      this.length = file.size() - head;
    }

    @Override
    public long length() {
      return length;
    }

    @Override
    public CompletableFuture<Integer> read(long offset, ByteBuffer target) {
      return LocalCall.run(
          () -> {
            try {
              return file.read(target, head + offset);
            } catch (IOException e) {
              throw unreadable(e);
            }
          });
    }

    @Override
    public CompletableFuture<@Nullable Void> verify(long offset) {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void close() {
      try {
        file.close();
      } catch (IOException e) {
        // Nothing was written.
        return;
      }
    }
  }

  @Override
  public CompletableFuture<ChunkWriter> append(Partition owner) {
    return CompletableFuture.failedFuture(SegmentEngine.refused());
  }

  @Override
  public CompletableFuture<@Nullable ChunkRef> copy(ChunkRef ref, Partition owner) {
    return CompletableFuture.failedFuture(SegmentEngine.refused());
  }

  @Override
  public CompletableFuture<@Nullable Void> delete(List<ChunkRef> refs) {
    return CompletableFuture.failedFuture(SegmentEngine.refused());
  }

  @Override
  public CompletableFuture<List<StoredChunk>> list(@Nullable ChunkRef after, int max) {
    return CompletableFuture.failedFuture(SegmentEngine.refused());
  }
}
