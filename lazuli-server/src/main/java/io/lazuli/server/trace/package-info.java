/** Traces: a span for each request, sent to a collector of OpenTelemetry. */
@NullMarked
package io.lazuli.server.trace;

import org.jspecify.annotations.NullMarked;
