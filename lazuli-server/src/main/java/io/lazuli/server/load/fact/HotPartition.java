package io.lazuli.server.load.fact;

/**
 * A partition and the sampled requests to it.
 *
 * @param error how much the number may be too high
 */
public record HotPartition(String key, long requests, long error, long busy) {}
