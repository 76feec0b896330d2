/** Transfers of queues. */
@NullMarked
package io.lazuli.transfer.queue;

import org.jspecify.annotations.NullMarked;
