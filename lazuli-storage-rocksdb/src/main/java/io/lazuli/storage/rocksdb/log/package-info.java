/**
 * RocksDB's log as files: checks it before RocksDB opens it, notes how much of it is synced, and
 * saves what can be read of a damaged one.
 */
@NullMarked
package io.lazuli.storage.rocksdb.log;

import org.jspecify.annotations.NullMarked;
