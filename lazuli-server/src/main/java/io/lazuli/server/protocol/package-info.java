/** Classes that the HTTP endpoints of all services share. */
@NullMarked
package io.lazuli.server.protocol;

import org.jspecify.annotations.NullMarked;
