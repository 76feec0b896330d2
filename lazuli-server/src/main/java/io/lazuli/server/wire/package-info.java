/** Parsers and writers that all services share. */
@NullMarked
package io.lazuli.server.wire;

import org.jspecify.annotations.NullMarked;
