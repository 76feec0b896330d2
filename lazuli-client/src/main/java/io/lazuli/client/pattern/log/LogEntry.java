package io.lazuli.client.pattern.log;

import java.time.Instant;

/**
 * Something that happened. Immutable.
 *
 * @param time when
 * @param text what; it may have several lines
 */
public record LogEntry(Instant time, String text) {}
