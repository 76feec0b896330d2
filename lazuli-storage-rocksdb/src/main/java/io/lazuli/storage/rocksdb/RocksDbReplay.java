package io.lazuli.storage.rocksdb;

import io.lazuli.storage.DataFormat;
import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.Replay;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.StoreCut;
import io.lazuli.storage.rocksdb.disk.DataFolder;
import io.lazuli.storage.rocksdb.log.BatchContents;
import io.lazuli.storage.rocksdb.log.DatabaseLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * Applies batches to a database whose restore has not finished. RocksDB gives each change the
 * sequence number that it had in the original store, so the next batch must begin where the last
 * one ended.
 */
final class RocksDbReplay implements Replay {
  private final DataFolder folder;
  private final NativeStore store;

  /** Without a log: a restore that is interrupted begins again. */
  private final WriteOptions writes = new WriteOptions().setDisableWAL(true);

  private RocksDbReplay(DataFolder folder, NativeStore store) {
    this.folder = folder;
    this.store = store;
  }

  static RocksDbReplay open(DataFolder folder, long memoryBytes) {
    try {
      new DatabaseLog(folder.root(), folder.database()).requireIntact();
      return new RocksDbReplay(folder, NativeStore.openToReplay(folder.database(), memoryBytes));
    } catch (EngineOpenException e) {
      folder.close();
      throw e;
    }
  }

  @Override
  public long sequence() {
    return store.publishedSequence();
  }

  @Override
  public int format() {
    return DataFormat.newest();
  }

  @Override
  public void apply(byte[] content) throws IOException {
    long unused = BatchContents.read(content, (family, key, value) -> {});
    ByteBuffer head = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
    long first = head.getLong();
    long last = first + Integer.toUnsignedLong(head.getInt()) - 1;
    if (first != sequence() + 1) {
      throw new IOException("change " + first + " does not follow change " + sequence());
    }
    try (WriteBatch batch = new WriteBatch(content)) {
      store.db().write(writes, batch);
    } catch (RocksDBException e) {
      throw new IOException("a change could not be applied: " + e.getMessage(), e);
    }
    if (sequence() != last) {
      throw new IOException("change " + last + " became change " + sequence());
    }
  }

  @Override
  public void forEachChunk(StoreCut.FileVisitor visitor) throws IOException {
    try {
      RocksDbCut.visitChunks(store, visitor);
    } catch (StorageException e) {
      throw new IOException("the rows of chunks cannot be read: " + e.getMessage(), e);
    }
  }

  @Override
  public void finish() throws IOException {
    try {
      store.flush();
      folder.raiseFormat();
    } catch (RocksDBException e) {
      throw new IOException("the store could not be written: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    writes.close();
    store.close();
    folder.close();
  }
}
