/**
 * Cases of the table service through the official Java clients: the current one, {@code
 * azure-data-tables}, and the previous one, {@code azure-storage} 8.
 */
@NullMarked
package io.lazuli.conformance.table.sdk;

import org.jspecify.annotations.NullMarked;
