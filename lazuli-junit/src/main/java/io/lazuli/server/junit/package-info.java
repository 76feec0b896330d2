/** Lazuli in the tests of others. */
@NullMarked
package io.lazuli.server.junit;

import org.jspecify.annotations.NullMarked;
