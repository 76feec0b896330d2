package io.lazuli.server.blob.protection;

import org.jspecify.annotations.Nullable;

/**
 * The time until which a blob can be neither deleted nor changed (blob-features 6).
 *
 * @param locked true if the time can only be moved further away
 */
public record ImmutabilityPolicy(long untilTicks, boolean locked) {
  public boolean isActive(long now) {
    return untilTicks > now;
  }

  /**
   * Returns true if another policy may take the place of this one. A locked policy that is active
   * can only be extended.
   *
   * @param other null to remove the policy
   */
  public boolean mayBecome(@Nullable ImmutabilityPolicy other, long now) {
    boolean extended = other != null && other.locked && other.untilTicks >= untilTicks;
    return !locked || !isActive(now) || extended;
  }
}
