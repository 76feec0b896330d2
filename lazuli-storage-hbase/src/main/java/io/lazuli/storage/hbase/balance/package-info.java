/** Which ranges to split and to merge: decisions alone, without a cluster. */
@NullMarked
package io.lazuli.storage.hbase.balance;

import org.jspecify.annotations.NullMarked;
