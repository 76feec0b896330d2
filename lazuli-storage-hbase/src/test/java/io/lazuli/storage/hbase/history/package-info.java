/** What clients saw of a cluster while it suffered faults, and whether that can have been right. */
@NullMarked
package io.lazuli.storage.hbase.history;

import org.jspecify.annotations.NullMarked;
