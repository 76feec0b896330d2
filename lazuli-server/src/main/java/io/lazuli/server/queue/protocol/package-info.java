/** The HTTP endpoint of the queue service. */
@NullMarked
package io.lazuli.server.queue.protocol;

import org.jspecify.annotations.NullMarked;
