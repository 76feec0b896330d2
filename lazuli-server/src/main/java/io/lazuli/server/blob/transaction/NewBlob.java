package io.lazuli.server.blob.transaction;

import io.lazuli.server.blob.model.BlobContent;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.CopyProperties;
import io.lazuli.server.blob.model.HttpProperties;
import io.lazuli.server.blob.model.Lease;
import io.lazuli.server.blob.model.OptionalProperties;
import io.lazuli.server.blob.model.SnapshotCount;
import io.lazuli.server.blob.model.Upload;
import io.lazuli.server.blob.protection.Immutability;
import io.lazuli.server.blob.tier.AccessTier;
import io.lazuli.server.blob.tier.TierChoice;
import io.lazuli.server.blob.tier.TierState;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The properties that a request gives a blob with its new content. Properties that the request does
 * not mention are cleared (blob-rest 2.2).
 *
 * @param tier null to keep the old tier
 * @param copy null if the blob is not a copy
 */
public record NewBlob(
    BlobType type,
    HttpProperties http,
    Map<String, String> metadata,
    BlobTags tags,
    @Nullable AccessTier tier,
    Immutability immutability,
    @Nullable CopyProperties copy) {
  NewBlob withTagStamp(long stamp) {
    return new NewBlob(type, http, metadata, tags.stamped(stamp), tier, immutability, copy);
  }

  /**
   * Returns the properties that replace the old ones. The tier, lease, creation time and snapshots
   * of the old blob stay, but a blob that replaces an archived one is not archived itself.
   */
  BlobProperties replacing(
      @Nullable BlobProperties old, BlobContent content, long ticks, long now) {
    return replacing(old, content, ticks, now, false);
  }

  /**
   * Returns the properties that replace the old ones.
   *
   * @param version true if the new state is a version, which has its own creation time and tier
   *     (blob-features 3.1 and 3.6)
   */
  BlobProperties replacing(
      @Nullable BlobProperties old, BlobContent content, long ticks, long now, boolean version) {
    TierState before = old == null || version ? null : old.tierAt(now);
    TierChoice kept = before == null || before.isArchived() ? null : before.choice();
    boolean committed = old != null && old.isCommitted();
    return new BlobProperties(
        type,
        ticks,
        old != null && committed && !version ? old.creationTicks() : ticks,
        content,
        http,
        metadata,
        tags,
        tier == null ? kept : new TierChoice(tier, ticks),
        old == null ? Lease.NONE : old.lease().afterWrite(now),
        copy,
        Upload.NONE,
        old == null ? SnapshotCount.NONE : old.snapshots(),
        OptionalProperties.NONE
            .withImmutability(immutability.policy())
            .withLegalHold(immutability.legalHold()));
  }
}
