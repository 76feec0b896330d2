/**
 * Small programs to read: one for each SDK, and one for each scenario of the Table Design Guide
 * with the client library. The build runs them against its own server. {@code docs/patterns.md}
 * explains them, and {@code lazuli tour} runs them step by step.
 */
@NullMarked
package io.lazuli.examples;

import org.jspecify.annotations.NullMarked;
