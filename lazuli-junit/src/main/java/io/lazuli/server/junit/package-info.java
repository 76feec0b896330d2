/** A JUnit extension that runs a Lazuli server for the tests of other projects. */
@NullMarked
package io.lazuli.server.junit;

import org.jspecify.annotations.NullMarked;
