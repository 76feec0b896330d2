package io.lazuli.server.blob.tier;

import java.util.Locale;

/**
 * The way of an archived blob to another tier (blob-features 4.6).
 *
 * @param endTicks the time from which the blob has the new tier
 */
public record Rehydration(AccessTier target, RehydratePriority priority, long endTicks) {
  /** Returns {@code x-ms-archive-status}. */
  public String status() {
    return "rehydrate-pending-to-" + target.text().toLowerCase(Locale.ROOT);
  }
}
