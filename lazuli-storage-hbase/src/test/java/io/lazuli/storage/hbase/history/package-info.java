/**
 * Records operations of clients while a cluster has faults, and checks that the answers can be
 * right.
 */
@NullMarked
package io.lazuli.storage.hbase.history;

import org.jspecify.annotations.NullMarked;
