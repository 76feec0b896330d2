/**
 * Requests over HTTP to packed servers on a cluster of processes: their cost, and which of them
 * wait when a region server pauses or dies.
 */
@NullMarked
package io.lazuli.storage.hbase.requests;

import org.jspecify.annotations.NullMarked;
