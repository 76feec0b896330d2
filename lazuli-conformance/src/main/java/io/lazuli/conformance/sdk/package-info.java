/** Cases through the current official Java client, {@code azure-data-tables}. */
@NullMarked
package io.lazuli.conformance.sdk;

import org.jspecify.annotations.NullMarked;
