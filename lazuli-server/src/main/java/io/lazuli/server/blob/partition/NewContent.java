package io.lazuli.server.blob.partition;

/** Bytes that a transaction makes part of a blob: still in memory, or already in a chunk. */
public sealed interface NewContent {
  long length();

  /** Returns the memory that the content takes while its transaction waits. */
  long weightBytes();

  /** Small content, which the transaction stores as a record. */
  record InMemory(byte[] bytes) implements NewContent {
    @Override
    public long length() {
      return bytes.length;
    }

    @Override
    public long weightBytes() {
      return bytes.length;
    }
  }

  /** Content that was written to a chunk before the transaction. */
  record InChunk(long number, long length) implements NewContent {
    @Override
    public long weightBytes() {
      return 0;
    }
  }

  static NewContent ofBytes(byte[] bytes) {
    return new InMemory(bytes);
  }

  static NewContent ofChunk(long number, long length) {
    return new InChunk(number, length);
  }
}
