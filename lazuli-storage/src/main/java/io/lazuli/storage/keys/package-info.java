/** The encoding of keys and partitions on disk, the same on every engine that stores data. */
@NullMarked
package io.lazuli.storage.keys;

import org.jspecify.annotations.NullMarked;
