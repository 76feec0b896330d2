/** The stored form of queues. */
@NullMarked
package io.lazuli.server.queue.encoding;

import org.jspecify.annotations.NullMarked;
