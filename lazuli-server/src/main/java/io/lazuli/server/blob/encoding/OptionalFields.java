package io.lazuli.server.blob.encoding;

import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.OptionalProperties;
import io.lazuli.server.blob.protection.ImmutabilityPolicy;
import io.lazuli.server.blob.protection.SoftDeletion;
import io.lazuli.server.blob.tier.AccessTier;
import io.lazuli.server.blob.tier.RehydratePriority;
import io.lazuli.server.blob.tier.Rehydration;

/**
 * The optional properties at the end of a record of format version 2: a tag and a value for each
 * one that is present. A tag that this server does not know is an error, because a rule that it
 * stands for could not be kept.
 */
final class OptionalFields {
  private static final int VERSION_TICKS = 1;
  private static final int DELETION = 2;
  private static final int IMMUTABILITY = 3;
  private static final int LEGAL_HOLD = 4;
  private static final int EXPIRY = 5;
  private static final int REHYDRATION = 6;
  private static final int SEQUENCE_NUMBER = 7;
  private static final int PREVIOUS = 8;
  private static final int COPY_DESCRIPTION = 9;
  private static final int TAG_STAMP = 20;

  /** Stored as an index into this array, so the order must never change. */
  private static final RehydratePriority[] PRIORITIES = {
    RehydratePriority.STANDARD, RehydratePriority.HIGH
  };

  private OptionalFields() {}

  static void write(BlobProperties blob, AccessTier[] tiers, RecordOutput out) {
    OptionalProperties optional = blob.optional();
    if (blob.tags().stamp() != 0) {
      out.writeByte(TAG_STAMP).writeLong(blob.tags().stamp());
    }
    if (optional.versionTicks() != 0) {
      out.writeByte(VERSION_TICKS).writeLong(optional.versionTicks());
    }
    SoftDeletion deletion = optional.deletion();
    if (deletion != null) {
      out.writeByte(DELETION).writeLong(deletion.deletedTicks()).writeLong(deletion.endTicks());
    }
    ImmutabilityPolicy policy = optional.immutability();
    if (policy != null) {
      out.writeByte(IMMUTABILITY).writeLong(policy.untilTicks()).writeBoolean(policy.locked());
    }
    if (optional.legalHold()) {
      out.writeByte(LEGAL_HOLD);
    }
    if (optional.expiryTicks() != 0) {
      out.writeByte(EXPIRY).writeLong(optional.expiryTicks());
    }
    Rehydration rehydration = optional.rehydration();
    if (rehydration != null) {
      out.writeByte(REHYDRATION)
          .writeOneOf(tiers, rehydration.target())
          .writeOneOf(PRIORITIES, rehydration.priority())
          .writeLong(rehydration.endTicks());
    }
    if (optional.sequenceNumber() != 0) {
      out.writeByte(SEQUENCE_NUMBER).writeLong(optional.sequenceNumber());
    }
    if (optional.previous()) {
      out.writeByte(PREVIOUS);
    }
    String description = optional.copyDescription();
    if (description != null) {
      out.writeByte(COPY_DESCRIPTION).writeText(description);
    }
  }

  /** Returns the properties with the optional ones that follow in the record. */
  static BlobProperties read(BlobProperties plain, AccessTier[] tiers, RecordInput in) {
    OptionalProperties found = OptionalProperties.NONE;
    BlobProperties stamped = plain;
    while (in.hasMore()) {
      int tag = in.readByte();
      if (tag == TAG_STAMP) {
        stamped = plain.withTagStamp(in.readLong());
        continue;
      }
      found =
          switch (tag) {
            case VERSION_TICKS -> found.withVersionTicks(in.readLong());
            case DELETION -> found.withDeletion(new SoftDeletion(in.readLong(), in.readLong()));
            case IMMUTABILITY ->
                found.withImmutability(new ImmutabilityPolicy(in.readLong(), in.readBoolean()));
            case LEGAL_HOLD -> found.withLegalHold(true);
            case EXPIRY -> found.withExpiryTicks(in.readLong());
            case REHYDRATION ->
                found.withRehydration(
                    new Rehydration(in.readOneOf(tiers), in.readOneOf(PRIORITIES), in.readLong()));
            case SEQUENCE_NUMBER -> found.withSequenceNumber(in.readLong());
            case PREVIOUS -> found.withPrevious(true);
            case COPY_DESCRIPTION -> found.withCopyDescription(in.readText());
            default -> throw new IllegalStateException("a blob has an unknown property: " + tag);
          };
    }
    if (found.equals(OptionalProperties.NONE) && stamped.tags().stamp() == 0) {
      throw new IllegalStateException("blob record is damaged");
    }
    return stamped.withOptional(found);
  }
}
