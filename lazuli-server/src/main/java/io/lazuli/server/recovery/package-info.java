/** Brings single tables, queues and containers of a backup back into a running server. */
@NullMarked
package io.lazuli.server.recovery;

import org.jspecify.annotations.NullMarked;
