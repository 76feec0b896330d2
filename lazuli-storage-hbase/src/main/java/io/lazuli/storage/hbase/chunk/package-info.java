/** Chunks in HBase: cells of 1 MiB, the directory of their headers, and the removal of old ones. */
@NullMarked
package io.lazuli.storage.hbase.chunk;

import org.jspecify.annotations.NullMarked;
