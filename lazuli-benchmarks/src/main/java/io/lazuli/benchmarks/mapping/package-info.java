/** Compares the cost of the client library's mapping with handwritten code. */
@NullMarked
package io.lazuli.benchmarks.mapping;

import org.jspecify.annotations.NullMarked;
