/** The command line. */
@NullMarked
package io.lazuli.server.cli;

import org.jspecify.annotations.NullMarked;
