/** How much is stored: sizes of tables, queues and containers. */
@NullMarked
package io.lazuli.server.load.size;

import org.jspecify.annotations.NullMarked;
