/** What the HTTP faces of all services share. */
@NullMarked
package io.lazuli.server.protocol;

import org.jspecify.annotations.NullMarked;
