/** Lazuli in a container, for tests that use Testcontainers. */
@NullMarked
package io.lazuli.testcontainers;

import org.jspecify.annotations.NullMarked;
