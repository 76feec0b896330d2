/** Progress of transfers, and the files in which they remember it. */
@NullMarked
package io.lazuli.transfer.progress;

import org.jspecify.annotations.NullMarked;
