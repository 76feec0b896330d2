package io.lazuli.server.blob.model;

import io.lazuli.server.blob.protection.ImmutabilityPolicy;
import io.lazuli.server.blob.protection.SoftDeletion;
import io.lazuli.server.blob.tier.TierChoice;
import io.lazuli.server.blob.tier.TierState;
import io.lazuli.server.error.ServiceError;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a blob or snapshot: everything but its bytes. A snapshot has neither a lease
 * nor an upload.
 *
 * @param changedTicks the time of the last change, from which the ETag and Last-Modified are made;
 *     0 while the blob has only uncommitted blocks
 * @param creationTicks the time when a blob was first committed under this name
 * @param tier the tier that was set last, see {@link #tierAt}; null if it was never set
 * @param copy null if the blob is not a copy, or was written since
 */
public record BlobProperties(
    BlobType type,
    long changedTicks,
    long creationTicks,
    BlobContent content,
    HttpProperties http,
    Map<String, String> metadata,
    BlobTags tags,
    @Nullable TierChoice tier,
    Lease lease,
    @Nullable CopyProperties copy,
    Upload upload,
    SnapshotCount snapshots,
    OptionalProperties optional) {
  public BlobProperties {
    metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
  }

  /** A block blob without committed content. */
  public static final BlobProperties UNCOMMITTED =
      new BlobProperties(
          BlobType.BLOCK,
          0,
          0,
          BlobContent.NONE,
          HttpProperties.NONE,
          Map.of(),
          BlobTags.NONE,
          null,
          Lease.NONE,
          null,
          Upload.NONE,
          SnapshotCount.NONE,
          OptionalProperties.NONE);

  /** Returns false if the blob has only uncommitted blocks: reads do not find such a blob. */
  public boolean isCommitted() {
    return changedTicks != 0;
  }

  /** Returns true if a search for tags can find the blob. */
  public boolean isSearchable() {
    return isCommitted() && optional.deletion() == null;
  }

  /**
   * Returns why this state of the blob cannot be removed at a time, or replaced without becoming a
   * version; null if it can (blob-features 6.2). Everything that removes states asks this.
   */
  public @Nullable ServiceError removalRefusal(long now) {
    ImmutabilityPolicy policy = optional.immutability();
    if (optional.legalHold()) {
      return BlobErrors.IMMUTABLE_DUE_TO_LEGAL_HOLD;
    }
    return policy != null && policy.isActive(now) ? BlobErrors.IMMUTABLE_DUE_TO_POLICY : null;
  }

  /**
   * Returns why this state of the blob cannot be changed in place; null if it can. A policy forbids
   * that even after its time (blob-features 6.2).
   */
  public @Nullable ServiceError changeRefusal() {
    if (optional.legalHold()) {
      return BlobErrors.IMMUTABLE_DUE_TO_LEGAL_HOLD;
    }
    return optional.immutability() == null ? null : BlobErrors.IMMUTABLE_DUE_TO_POLICY;
  }

  /** Returns the properties after Set Blob Metadata, which removes the copy properties. */
  public BlobProperties withMetadata(Map<String, String> newMetadata, long ticks) {
    return written(ticks, draft -> draft.metadata = newMetadata);
  }

  /** Returns the properties after Set Blob Properties, which removes the copy properties. */
  public BlobProperties withHttp(HttpProperties newHttp, long ticks) {
    return written(ticks, draft -> draft.http = newHttp);
  }

  /** Returns the properties after Append Block, which removes the copy properties. */
  public BlobProperties withContent(BlobContent newContent, long ticks) {
    return written(ticks, draft -> draft.content = newContent);
  }

  /** Returns the properties with the seal set; a blob that is already sealed keeps its ETag. */
  public BlobProperties sealed(long ticks) {
    BlobContent sealed =
        new BlobContent(content.version(), content.length(), content.blocks(), true);
    return written(content.sealed() ? changedTicks : ticks, draft -> draft.content = sealed);
  }

  public BlobProperties withTags(BlobTags newTags) {
    return written(changedTicks, draft -> draft.tags = newTags);
  }

  /** Returns the properties with another stamp of the tags; nothing that clients see changes. */
  public BlobProperties withTagStamp(long stamp) {
    return with(draft -> draft.tags = tags.stamped(stamp));
  }

  /** Returns the tier at a time, and the rehydration that is under way then. */
  public TierState tierAt(long now) {
    return TierState.at(tier, optional.rehydration(), now);
  }

  public BlobProperties withTier(TierState state) {
    return written(
        changedTicks,
        draft -> {
          draft.tier = state.choice();
          draft.optional = optional.withRehydration(state.rehydration());
        });
  }

  public BlobProperties withLease(Lease newLease) {
    return with(draft -> draft.lease = newLease);
  }

  public BlobProperties withUpload(Upload newUpload) {
    return with(draft -> draft.upload = newUpload);
  }

  public BlobProperties withSnapshots(SnapshotCount newSnapshots) {
    return with(draft -> draft.snapshots = newSnapshots);
  }

  /** Returns the properties as if the blob were empty. */
  public BlobProperties withoutContent() {
    return with(draft -> draft.content = new BlobContent(content.version(), 0, 0, false));
  }

  /** Returns the properties with another creation time. */
  public BlobProperties withCreation(long ticks) {
    return with(draft -> draft.creationTicks = ticks);
  }

  /** Returns whether a copy to this blob is under way, so that nothing else may change it. */
  public boolean isCopyPending() {
    return copy != null && copy.status() == CopyStatus.PENDING;
  }

  /** Returns the length that readers see: that of the source while a copy is pending. */
  public long shownLength() {
    return copy != null && isCopyPending() ? copy.totalBytes() : content.length();
  }

  /** Returns the properties with another state of the copy, which keeps the ETag. */
  public BlobProperties withCopy(CopyProperties newCopy) {
    return with(draft -> draft.copy = newCopy);
  }

  /**
   * Returns the properties after the end of a pending copy.
   *
   * @param description why the copy failed; null if it did not
   */
  public BlobProperties afterCopy(
      BlobContent newContent, CopyProperties ended, @Nullable String description, long ticks) {
    return with(
        draft -> {
          draft.changedTicks = ticks;
          draft.content = newContent;
          draft.copy = ended;
          draft.optional = draft.optional.withCopyDescription(description);
        });
  }

  /** Returns the properties after Set Blob Expiry; 0 for a blob that does not expire. */
  public BlobProperties withExpiry(long expiryTicks, long ticks) {
    return written(ticks, draft -> draft.optional = draft.optional.withExpiryTicks(expiryTicks));
  }

  public BlobProperties withOptional(OptionalProperties newOptional) {
    return with(draft -> draft.optional = newOptional);
  }

  /** Returns the properties that a snapshot of the blob has. */
  public BlobProperties asSnapshot() {
    return former().withOptional(optional.ofSnapshot());
  }

  /**
   * Returns the properties that the blob has as a version.
   *
   * @param ticks the time that names the version
   */
  public BlobProperties asVersion(long ticks) {
    return former()
        .withOptional(optional.withVersionTicks(ticks).withExpiryTicks(0).withPrevious(true));
  }

  /**
   * Returns the properties that the blob has once it is deleted and can be restored. The retention
   * replaces its expiry.
   */
  public BlobProperties asDeleted(SoftDeletion deletion) {
    return former().withOptional(optional.withDeletion(deletion).withExpiryTicks(0));
  }

  private BlobProperties former() {
    return withLease(Lease.NONE).withUpload(Upload.NONE).withSnapshots(SnapshotCount.NONE);
  }

  /** Returns the properties after a write, which removes the copy properties (blob-rest 10.8). */
  private BlobProperties written(long ticks, Consumer<Draft> change) {
    return with(
        draft -> {
          draft.changedTicks = ticks;
          draft.copy = null;
          draft.optional = draft.optional.withCopyDescription(null);
          change.accept(draft);
        });
  }

  private BlobProperties with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return new BlobProperties(
        type,
        draft.changedTicks,
        draft.creationTicks,
        draft.content,
        draft.http,
        draft.metadata,
        draft.tags,
        draft.tier,
        draft.lease,
        draft.copy,
        draft.upload,
        draft.snapshots,
        draft.optional);
  }

  /** A mutable copy of the properties that can change. Never leaves this class. */
  private static final class Draft {
    private long changedTicks;
    private long creationTicks;
    private BlobContent content;
    private HttpProperties http;
    private Map<String, String> metadata;
    private BlobTags tags;
    private @Nullable TierChoice tier;
    private Lease lease;
    private @Nullable CopyProperties copy;
    private Upload upload;
    private SnapshotCount snapshots;
    private OptionalProperties optional;

    Draft(BlobProperties from) {
      changedTicks = from.changedTicks;
      creationTicks = from.creationTicks;
      content = from.content;
      http = from.http;
      metadata = from.metadata;
      tags = from.tags;
      tier = from.tier;
      lease = from.lease;
      copy = from.copy;
      upload = from.upload;
      snapshots = from.snapshots;
      optional = from.optional;
    }
  }
}
