package io.lazuli.storage.contract;

import static org.awaitility.Awaitility.await;

import io.lazuli.storage.ChunkReader;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.ChunkStore;
import io.lazuli.storage.ChunkWriter;
import io.lazuli.storage.Partition;
import io.lazuli.storage.StoredChunk;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Shortcuts for tests that use chunks of one owner. */
public record Chunks(ChunkStore store, Partition owner) {
  private static final int LISTED_MAX = 10_000;

  /** Returns random bytes, the same for the same seed. */
  public static byte[] content(int length, long seed) {
    byte[] content = new byte[length];
    new Random(seed).nextBytes(content);
    return content;
  }

  public ChunkRef append(byte[] content) {
    try (ChunkWriter writer = EngineFixture.await(store.append(owner))) {
      EngineFixture.await(writer.write(ByteBuffer.wrap(content)));
      return EngineFixture.await(writer.complete());
    }
  }

  public byte[] read(ChunkRef ref) {
    try (ChunkReader reader = EngineFixture.await(store.open(ref))) {
      ByteBuffer target = ByteBuffer.allocate(Math.toIntExact(reader.length()));
      fill(reader, 0, target);
      return target.array();
    }
  }

  /** Reads up to {@code length} bytes from an offset on, in small steps. */
  public byte[] read(ChunkRef ref, long offset, int length, int partMax) {
    ByteBuffer target = ByteBuffer.allocate(length);
    try (ChunkReader reader = EngineFixture.await(store.open(ref))) {
      int read = 0;
      while (target.position() < length && read >= 0) {
        target.limit(Math.min(length, target.position() + partMax));
        read = EngineFixture.await(reader.read(offset + target.position(), target));
      }
    }
    return Arrays.copyOf(target.array(), target.position());
  }

  /** Reads from the offset until the buffer is full. */
  static void fill(ChunkReader reader, long offset, ByteBuffer target) {
    int begin = target.position();
    while (target.hasRemaining()) {
      if (EngineFixture.await(reader.read(offset + target.position() - begin, target)) < 1) {
        throw new AssertionError("the chunk ends early");
      }
    }
  }

  public List<StoredChunk> list() {
    return EngineFixture.await(store.list(null, LISTED_MAX));
  }

  /**
   * Waits until the only chunk is listed, which may be shortly after it was begun, and returns it.
   */
  public StoredChunk awaitListed() {
    return awaitListed(1).get(0);
  }

  public List<StoredChunk> awaitListed(int count) {
    await().until(() -> list().size() == count);
    return list();
  }
}
