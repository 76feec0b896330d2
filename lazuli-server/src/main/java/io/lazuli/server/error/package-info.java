/** The errors of the protocol, as values. */
@NullMarked
package io.lazuli.server.error;

import org.jspecify.annotations.NullMarked;
