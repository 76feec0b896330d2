/** The data folder and files in it, without knowledge of records or chunks. */
@NullMarked
package io.lazuli.storage.rocksdb.disk;

import org.jspecify.annotations.NullMarked;
