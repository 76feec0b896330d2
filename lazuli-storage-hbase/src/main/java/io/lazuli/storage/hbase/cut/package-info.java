/** Cuts of the cluster for backups, and the restore of a cut into an empty namespace. */
@NullMarked
package io.lazuli.storage.hbase.cut;

import org.jspecify.annotations.NullMarked;
