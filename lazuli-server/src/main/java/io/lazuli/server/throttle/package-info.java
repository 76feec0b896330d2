/** Rate targets: who asks more often than that is told to come back later. */
@NullMarked
package io.lazuli.server.throttle;

import org.jspecify.annotations.NullMarked;
