package io.lazuli.server.blob.model;

import io.lazuli.server.blob.protection.ImmutabilityPolicy;
import io.lazuli.server.blob.protection.SoftDeletion;
import io.lazuli.server.blob.tier.Rehydration;
import org.jspecify.annotations.Nullable;

/**
 * The properties that most blobs do not have. A record stores only those that differ from {@link
 * #NONE}, so that they cost other blobs nothing.
 *
 * @param versionTicks the time that names this version of the blob; 0 without versions
 * @param deletion null if it is not soft-deleted
 * @param immutability null without a policy
 * @param expiryTicks the time from which the blob is gone; 0 if it does not expire
 * @param rehydration null if it is not on its way out of the archive
 * @param sequenceNumber the sequence number of a page blob
 * @param previous true for a previous version, which is no longer the blob
 * @param copyDescription why the copy failed that made the blob; null if none did
 */
public record OptionalProperties(
    long versionTicks,
    @Nullable SoftDeletion deletion,
    @Nullable ImmutabilityPolicy immutability,
    boolean legalHold,
    long expiryTicks,
    @Nullable Rehydration rehydration,
    long sequenceNumber,
    boolean previous,
    @Nullable String copyDescription) {
  public static final OptionalProperties NONE =
      new OptionalProperties(0, null, null, false, 0, null, 0, false, null);

  /** Returns the optional properties of a snapshot, which is neither a version nor protected. */
  public OptionalProperties ofSnapshot() {
    return new OptionalProperties(
        0, null, null, false, 0, rehydration, sequenceNumber, false, copyDescription);
  }

  public OptionalProperties withVersionTicks(long ticks) {
    return new OptionalProperties(
        ticks,
        deletion,
        immutability,
        legalHold,
        expiryTicks,
        rehydration,
        sequenceNumber,
        previous,
        copyDescription);
  }

  public OptionalProperties withPrevious(boolean isPrevious) {
    return new OptionalProperties(
        versionTicks,
        deletion,
        immutability,
        legalHold,
        expiryTicks,
        rehydration,
        sequenceNumber,
        isPrevious,
        copyDescription);
  }

  public OptionalProperties withDeletion(@Nullable SoftDeletion newDeletion) {
    return new OptionalProperties(
        versionTicks,
        newDeletion,
        immutability,
        legalHold,
        expiryTicks,
        rehydration,
        sequenceNumber,
        previous,
        copyDescription);
  }

  public OptionalProperties withImmutability(@Nullable ImmutabilityPolicy policy) {
    return new OptionalProperties(
        versionTicks,
        deletion,
        policy,
        legalHold,
        expiryTicks,
        rehydration,
        sequenceNumber,
        previous,
        copyDescription);
  }

  public OptionalProperties withLegalHold(boolean hold) {
    return new OptionalProperties(
        versionTicks,
        deletion,
        immutability,
        hold,
        expiryTicks,
        rehydration,
        sequenceNumber,
        previous,
        copyDescription);
  }

  public OptionalProperties withExpiryTicks(long ticks) {
    return new OptionalProperties(
        versionTicks,
        deletion,
        immutability,
        legalHold,
        ticks,
        rehydration,
        sequenceNumber,
        previous,
        copyDescription);
  }

  /**
   * Returns true if the blob is gone at a time (blob-features 4.3). A blob with a hold or a policy
   * does not expire, even if the policy has ended: nobody asks for its removal, so a clock that is
   * ahead must not be the reason for it.
   */
  public boolean isExpired(long now) {
    return expiryTicks != 0 && expiryTicks <= now && !legalHold && immutability == null;
  }

  public OptionalProperties withRehydration(@Nullable Rehydration newRehydration) {
    return new OptionalProperties(
        versionTicks,
        deletion,
        immutability,
        legalHold,
        expiryTicks,
        newRehydration,
        sequenceNumber,
        previous,
        copyDescription);
  }

  public OptionalProperties withSequenceNumber(long number) {
    return new OptionalProperties(
        versionTicks,
        deletion,
        immutability,
        legalHold,
        expiryTicks,
        rehydration,
        number,
        previous,
        copyDescription);
  }

  public OptionalProperties withCopyDescription(@Nullable String text) {
    return new OptionalProperties(
        versionTicks,
        deletion,
        immutability,
        legalHold,
        expiryTicks,
        rehydration,
        sequenceNumber,
        previous,
        text);
  }
}
