/** A cheap HTTP client that keeps many connections busy and counts the responses. */
@NullMarked
package io.lazuli.benchmarks.load;

import org.jspecify.annotations.NullMarked;
