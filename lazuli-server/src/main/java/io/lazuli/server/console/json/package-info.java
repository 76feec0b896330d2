/** JSON of the console: bodies, answers and page tokens. */
@NullMarked
package io.lazuli.server.console.json;

import org.jspecify.annotations.NullMarked;
