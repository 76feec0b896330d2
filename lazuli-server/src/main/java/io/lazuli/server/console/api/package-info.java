/** The JSON routes of the console (docs/console-api.md). */
@NullMarked
package io.lazuli.server.console.api;

import org.jspecify.annotations.NullMarked;
