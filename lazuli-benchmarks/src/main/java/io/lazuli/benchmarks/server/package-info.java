/** The servers under load, each in its own process. */
@NullMarked
package io.lazuli.benchmarks.server;

import org.jspecify.annotations.NullMarked;
