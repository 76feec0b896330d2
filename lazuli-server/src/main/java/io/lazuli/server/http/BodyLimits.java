package io.lazuli.server.http;

import java.time.Duration;

/**
 * The limits of a streamed body.
 *
 * @param bytesMax the maximum length; a longer body is refused
 * @param paceBytes the minimum number of bytes that must arrive in each {@code paceTime}, unless
 *     fewer are missing; a slower body is aborted
 * @param paceTime the time in which {@code paceBytes} must arrive
 */
public record BodyLimits(long bytesMax, long paceBytes, Duration paceTime) {}
