/**
 * The command {@code lazuli conformance}: chooses cases, runs them on the JUnit platform, and tells
 * how an endpoint did, as text, JSON and Markdown.
 */
@NullMarked
package io.lazuli.conformance.runner;

import org.jspecify.annotations.NullMarked;
