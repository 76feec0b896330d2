/** Events: what happened, for logs and counters. */
@NullMarked
package io.lazuli.server.event;

import org.jspecify.annotations.NullMarked;
