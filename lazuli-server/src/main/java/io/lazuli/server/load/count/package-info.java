/** Counts requests by ranges of keys, on the way of the requests. */
@NullMarked
package io.lazuli.server.load.count;

import org.jspecify.annotations.NullMarked;
