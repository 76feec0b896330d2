package io.lazuli.server.blob.model;

/** A tier, and the time when it was set. */
public record TierChoice(AccessTier tier, long changedTicks) {}
