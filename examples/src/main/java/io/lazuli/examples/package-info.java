/**
 * Small programs to read: one for each SDK, and one for each scenario of the Table Design Guide
 * with the client library. The build runs them against a server of its own; docs/patterns.md
 * explains them, and {@code lazuli tour} walks through them.
 */
@NullMarked
package io.lazuli.examples;

import org.jspecify.annotations.NullMarked;
