package io.lazuli.client.pattern.log;

import java.time.Instant;

/**
 * An entry of a log. Immutable.
 *
 * @param time the time of the entry
 * @param text the text, which may have several lines
 */
public record LogEntry(Instant time, String text) {}
