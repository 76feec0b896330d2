package io.lazuli.server.blob.protection;

/**
 * The time until which a blob can be neither deleted nor changed (blob-features 6).
 *
 * @param locked true if the time can only be moved further away
 */
public record ImmutabilityPolicy(long untilTicks, boolean locked) {}
