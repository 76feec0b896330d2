/** Requests of the table service, rendered and signed ahead of the run. */
@NullMarked
package io.lazuli.benchmarks.protocol;

import org.jspecify.annotations.NullMarked;
