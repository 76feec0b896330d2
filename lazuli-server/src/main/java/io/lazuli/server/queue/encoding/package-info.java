/** How a queue becomes ordered bytes, and back. */
@NullMarked
package io.lazuli.server.queue.encoding;

import org.jspecify.annotations.NullMarked;
