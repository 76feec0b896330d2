/** Figures of several rounds, their ratios, and the aims they are held against. */
@NullMarked
package io.lazuli.benchmarks.report;

import org.jspecify.annotations.NullMarked;
