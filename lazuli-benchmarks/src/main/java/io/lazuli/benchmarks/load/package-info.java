/** A cheap HTTP client that keeps many connections busy and counts what comes back. */
@NullMarked
package io.lazuli.benchmarks.load;

import org.jspecify.annotations.NullMarked;
