/** The server as a whole: configuration, limits, assembly. */
@NullMarked
package io.lazuli.server;

import org.jspecify.annotations.NullMarked;
