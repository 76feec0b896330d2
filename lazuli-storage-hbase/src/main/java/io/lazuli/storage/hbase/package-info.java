/** The engine for many machines: records in Apache HBase, transactions as conditional batches. */
@NullMarked
package io.lazuli.storage.hbase;

import org.jspecify.annotations.NullMarked;
