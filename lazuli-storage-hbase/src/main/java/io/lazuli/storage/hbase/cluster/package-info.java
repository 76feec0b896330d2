/**
 * The cluster as a whole: connection, tables, regions, leadership, and each server's housekeeping.
 */
@NullMarked
package io.lazuli.storage.hbase.cluster;

import org.jspecify.annotations.NullMarked;
