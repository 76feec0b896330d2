/** Chunks as files: how they are written, checked, copied and deleted, and the rows about them. */
@NullMarked
package io.lazuli.storage.rocksdb.chunk;

import org.jspecify.annotations.NullMarked;
