package io.lazuli.server.http;

import java.time.Duration;

/**
 * The limits of a streamed body.
 *
 * @param bytesMax the maximum length; a longer body is refused
 * @param paceBytes a body is given up if, in any {@code paceTime}, it brings neither this many
 *     bytes nor all that is missing
 */
public record BodyLimits(long bytesMax, long paceBytes, Duration paceTime) {}
