/** Finds and opens storage engines, also for commands that run without a server. */
@NullMarked
package io.lazuli.server.engine;

import org.jspecify.annotations.NullMarked;
