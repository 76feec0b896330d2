/** Operations by table, queue and container over time, for estimates of costs. */
@NullMarked
package io.lazuli.server.load.usage;

import org.jspecify.annotations.NullMarked;
