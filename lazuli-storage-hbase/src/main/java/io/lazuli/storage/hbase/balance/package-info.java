/** Decides which ranges to split and merge. Pure logic, without a cluster. */
@NullMarked
package io.lazuli.storage.hbase.balance;

import org.jspecify.annotations.NullMarked;
