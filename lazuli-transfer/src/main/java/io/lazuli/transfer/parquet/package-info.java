/** Files of entities in the Parquet format. */
@NullMarked
package io.lazuli.transfer.parquet;

import org.jspecify.annotations.NullMarked;
