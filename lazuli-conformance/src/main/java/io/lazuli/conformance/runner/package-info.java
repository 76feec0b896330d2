/**
 * The command {@code lazuli conformance}: selects cases of all services, runs them on the JUnit
 * platform, and reports the results as text, JSON and Markdown.
 */
@NullMarked
package io.lazuli.conformance.runner;

import org.jspecify.annotations.NullMarked;
