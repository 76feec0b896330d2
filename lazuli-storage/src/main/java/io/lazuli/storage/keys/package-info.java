/**
 * How a record's key, and a partition named in a record, become bytes on disk, the same on every
 * engine that keeps data.
 */
@NullMarked
package io.lazuli.storage.keys;

import org.jspecify.annotations.NullMarked;
