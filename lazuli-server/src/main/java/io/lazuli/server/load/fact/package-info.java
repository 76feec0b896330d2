/** The load of a period: counts by ranges of keys, and what samples say about it. */
@NullMarked
package io.lazuli.server.load.fact;

import org.jspecify.annotations.NullMarked;
