package io.lazuli.storage.rocksdb;

import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * Writes one batch to the log and to the store; when it returns the batch is as durable as asked.
 */
@FunctionalInterface
interface LogWriter {
  void write(WriteBatch batch) throws RocksDBException;
}
