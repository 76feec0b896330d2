/** Transactions: the view of a body, the conditional batch that commits it, and its repetition. */
@NullMarked
package io.lazuli.storage.hbase.commit;

import org.jspecify.annotations.NullMarked;
