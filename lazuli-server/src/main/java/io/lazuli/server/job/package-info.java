/** Work that goes on without the person who ordered it, and after a restart of the server. */
@NullMarked
package io.lazuli.server.job;

import org.jspecify.annotations.NullMarked;
