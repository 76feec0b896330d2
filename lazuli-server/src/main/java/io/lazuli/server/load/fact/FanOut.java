package io.lazuli.server.load.fact;

/**
 * Requests of one client for many partitions at the same moment.
 *
 * @param bursts the number of such moments
 * @param partitions the largest number of partitions in one of them
 */
public record FanOut(String caller, String what, int bursts, int partitions) {}
