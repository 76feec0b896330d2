package io.lazuli.server.http;

import java.time.Duration;

/**
 * What a streamed body may be.
 *
 * @param bytesMax a longer one is refused
 * @param paceBytes a body that brings less than this, or less than its rest, in any {@code
 *     paceTime} is given up
 */
public record BodyLimits(long bytesMax, long paceBytes, Duration paceTime) {}
