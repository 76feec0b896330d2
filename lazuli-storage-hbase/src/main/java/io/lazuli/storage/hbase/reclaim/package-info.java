/**
 * Decides which records of dropped spaces to remove next, and how. Pure logic, without a cluster.
 */
@NullMarked
package io.lazuli.storage.hbase.reclaim;

import org.jspecify.annotations.NullMarked;
