/** Certificates: those that the server uses, and those that it makes for development. */
@NullMarked
package io.lazuli.server.tls;

import org.jspecify.annotations.NullMarked;
