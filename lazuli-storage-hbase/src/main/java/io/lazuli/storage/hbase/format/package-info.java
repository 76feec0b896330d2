/** The format of the store, and the servers that must be able to read it. */
@NullMarked
package io.lazuli.storage.hbase.format;

import org.jspecify.annotations.NullMarked;
