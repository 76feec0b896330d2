/** Figures about the work that this library does in the background. */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.metrics;
