/** Reads everything that is stored and reports damage: at once, or slowly in a running server. */
@NullMarked
package io.lazuli.server.scrub;

import org.jspecify.annotations.NullMarked;
