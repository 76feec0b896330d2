/** The measurements, one class per table of the report. */
@NullMarked
package io.lazuli.benchmarks.scenario;

import org.jspecify.annotations.NullMarked;
