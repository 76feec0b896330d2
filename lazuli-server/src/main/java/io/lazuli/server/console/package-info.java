/** The console on the admin port: its guard, its pages and its routes. */
@NullMarked
package io.lazuli.server.console;

import org.jspecify.annotations.NullMarked;
