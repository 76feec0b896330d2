/** The load driver: starts servers as processes, drives them in alternation, prints ratios. */
@NullMarked
package io.lazuli.benchmarks;

import org.jspecify.annotations.NullMarked;
