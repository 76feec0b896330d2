/** The files of the console's page. */
@NullMarked
package io.lazuli.server.console.page;

import org.jspecify.annotations.NullMarked;
