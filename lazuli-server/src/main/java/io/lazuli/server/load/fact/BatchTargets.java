package io.lazuli.server.load.fact;

/**
 * Sampled transactions whose caller sent one before.
 *
 * @param changed those that were for another partition than the one before
 */
public record BatchTargets(long judged, long changed) {
  static final BatchTargets NONE = new BatchTargets(0, 0);
}
