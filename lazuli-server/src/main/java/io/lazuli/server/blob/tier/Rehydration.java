package io.lazuli.server.blob.tier;

/**
 * The way of an archived blob to another tier (blob-features 4.6).
 *
 * @param endTicks the time from which the blob has the new tier
 */
public record Rehydration(AccessTier target, RehydratePriority priority, long endTicks) {}
