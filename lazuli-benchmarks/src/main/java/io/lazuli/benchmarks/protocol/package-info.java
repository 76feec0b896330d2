/** Requests of the services, rendered and signed in advance. */
@NullMarked
package io.lazuli.benchmarks.protocol;

import org.jspecify.annotations.NullMarked;
