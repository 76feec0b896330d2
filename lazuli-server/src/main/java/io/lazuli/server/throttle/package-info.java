/** Rate targets: a caller that exceeds one is asked to retry later. */
@NullMarked
package io.lazuli.server.throttle;

import org.jspecify.annotations.NullMarked;
