package io.lazuli.server.config;

import java.time.Duration;

/**
 * How the server reads everything that it stores, to find damage.
 *
 * @param interval the time between two rounds; zero for rounds that operators request
 * @param bytesPerSecond the maximum rate, on average
 */
public record ScrubConfig(Duration interval, long bytesPerSecond) {}
