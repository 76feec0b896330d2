/** Figures of several rounds, their ratios, and the aims that they are compared with. */
@NullMarked
package io.lazuli.benchmarks.report;

import org.jspecify.annotations.NullMarked;
