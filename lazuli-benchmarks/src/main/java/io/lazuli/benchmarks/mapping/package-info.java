/** What the client library's mapping costs beside code written by hand. */
@NullMarked
package io.lazuli.benchmarks.mapping;

import org.jspecify.annotations.NullMarked;
