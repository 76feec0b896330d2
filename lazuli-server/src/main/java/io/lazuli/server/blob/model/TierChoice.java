package io.lazuli.server.blob.model;

/** A tier that was set, and when. */
public record TierChoice(AccessTier tier, long changedTicks) {}
