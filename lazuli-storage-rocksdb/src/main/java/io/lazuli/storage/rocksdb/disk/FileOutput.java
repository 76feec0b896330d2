package io.lazuli.storage.rocksdb.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Writes bytes to a file. Tests replace it, for instance by a disk that is full. */
@FunctionalInterface
public interface FileOutput {
  /** Writes some or all of the remaining bytes, and advances the buffer past them. */
  void write(FileChannel channel, ByteBuffer bytes) throws IOException;
}
