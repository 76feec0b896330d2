/** Small programs to read, one per SDK. The build runs them against a server of its own. */
@NullMarked
package io.lazuli.examples;

import org.jspecify.annotations.NullMarked;
