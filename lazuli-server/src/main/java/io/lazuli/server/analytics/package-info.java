/** Storage Analytics metrics: requests by hour and minute, capacity by day, in tables. */
@NullMarked
package io.lazuli.server.analytics;

import org.jspecify.annotations.NullMarked;
