/** Cases through the previous official Java client, {@code azure-storage} 8. */
@NullMarked
package io.lazuli.conformance.legacy;

import org.jspecify.annotations.NullMarked;
