package io.lazuli.server.load.fact;

/**
 * An entity and the sampled requests to it.
 *
 * @param error how much the number of requests may be too high
 * @param conflicts the writes that were answered 412
 * @param bytes the size of the largest answer or body
 */
public record HotEntity(
    String partition,
    String row,
    long requests,
    long error,
    long writes,
    long conflicts,
    long bytes) {}
