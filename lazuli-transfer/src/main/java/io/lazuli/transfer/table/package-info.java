/** Transfers of tables. */
@NullMarked
package io.lazuli.transfer.table;

import org.jspecify.annotations.NullMarked;
