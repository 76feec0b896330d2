/** The default engine: one RocksDB database with one commit lane. */
@NullMarked
package io.lazuli.storage.rocksdb;

import org.jspecify.annotations.NullMarked;
