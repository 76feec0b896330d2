/** HTTP transport: listeners, exchanges, bodies, and the threads that serve them. */
@NullMarked
package io.lazuli.server.http;

import org.jspecify.annotations.NullMarked;
