/** Leases of homes: whether a space still exists, without a call for each request. */
@NullMarked
package io.lazuli.storage.hbase.lease;

import org.jspecify.annotations.NullMarked;
