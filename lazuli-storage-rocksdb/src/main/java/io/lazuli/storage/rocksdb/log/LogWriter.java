package io.lazuli.storage.rocksdb.log;

import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * Writes one batch to the log and to the store. When it returns, the batch is as durable as
 * configured.
 */
@FunctionalInterface
public interface LogWriter {
  void write(WriteBatch batch) throws RocksDBException;
}
