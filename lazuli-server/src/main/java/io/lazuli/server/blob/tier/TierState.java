package io.lazuli.server.blob.tier;

import org.jspecify.annotations.Nullable;

/**
 * The tier of a blob at one moment (blob-features 4.6). A rehydration needs no work in the
 * background: once its time has passed, the blob simply has the new tier.
 *
 * @param choice null if the tier was never set
 * @param rehydration null if the blob is not on its way out of the archive
 */
public record TierState(@Nullable TierChoice choice, @Nullable Rehydration rehydration) {
  /** Returns the state at a time, given what is stored. */
  public static TierState at(
      @Nullable TierChoice choice, @Nullable Rehydration rehydration, long now) {
    return rehydration != null && rehydration.endTicks() <= now
        ? new TierState(new TierChoice(rehydration.target(), rehydration.endTicks()), null)
        : new TierState(choice, rehydration);
  }

  /** Returns whether the content cannot be read. */
  public boolean isArchived() {
    return choice != null && choice.tier() == AccessTier.ARCHIVE;
  }

  /** Returns whether the blob is on its way to another tier than the given one. */
  public boolean isLeavingFor(AccessTier other) {
    return rehydration != null && rehydration.target() != other;
  }

  /**
   * Returns the state after Set Blob Tier. An archived blob stays in the archive until its
   * rehydration ends. Asking again for the same tier can only raise the priority.
   *
   * @param priority null if the request gave none
   * @param ticks the time of the change
   * @param rehydrationTicks the time that a blob needs to leave the archive
   */
  public TierState set(
      AccessTier tier, @Nullable RehydratePriority priority, long ticks, long rehydrationTicks) {
    Rehydration pending = rehydration;
    if (!isArchived()) {
      return new TierState(new TierChoice(tier, ticks), null);
    } else if (tier == AccessTier.ARCHIVE) {
      return this;
    } else if (pending != null) {
      RehydratePriority kept =
          priority == RehydratePriority.HIGH ? RehydratePriority.HIGH : pending.priority();
      return new TierState(choice, new Rehydration(tier, kept, pending.endTicks()));
    }
    RehydratePriority asked = priority == null ? RehydratePriority.STANDARD : priority;
    return new TierState(choice, new Rehydration(tier, asked, ticks + rehydrationTicks));
  }
}
