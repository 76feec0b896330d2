/** Assembles the server from its packages. */
@NullMarked
package io.lazuli.server;

import org.jspecify.annotations.NullMarked;
