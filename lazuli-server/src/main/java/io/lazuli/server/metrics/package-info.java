/** Metrics: what is counted about requests, and the text that {@code GET /metrics} answers. */
@NullMarked
package io.lazuli.server.metrics;

import org.jspecify.annotations.NullMarked;
