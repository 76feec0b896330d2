/** Shared access signatures that the console makes, in words, and tried on this server. */
@NullMarked
package io.lazuli.server.console.access;

import org.jspecify.annotations.NullMarked;
