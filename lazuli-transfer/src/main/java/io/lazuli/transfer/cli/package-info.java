/** The command line. */
@NullMarked
package io.lazuli.transfer.cli;

import org.jspecify.annotations.NullMarked;
