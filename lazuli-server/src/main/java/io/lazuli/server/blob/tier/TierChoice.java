package io.lazuli.server.blob.tier;

/** A tier, and the time when it was set. */
public record TierChoice(AccessTier tier, long changedTicks) {}
