/** The servers under load, each a process of its own. */
@NullMarked
package io.lazuli.benchmarks.server;

import org.jspecify.annotations.NullMarked;
