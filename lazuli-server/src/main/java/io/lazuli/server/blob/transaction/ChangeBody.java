package io.lazuli.server.blob.transaction;

import io.lazuli.server.blob.index.GivesTags;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.partition.BlobView;
import io.lazuli.server.blob.protection.Keep;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.PartitionView;
import org.jspecify.annotations.Nullable;

/** Changes the properties of a blob and nothing else: metadata, headers, tags, tier, seal. */
public record ChangeBody(BlobTerms terms, boolean leaseNeeded, Change change, Keep keep)
    implements KeepingBody<BlobProperties>, GivesTags<TransactionResult<BlobProperties>> {
  public ChangeBody(BlobTerms terms, boolean leaseNeeded, Change change) {
    this(terms, leaseNeeded, change, Keep.NOTHING);
  }

  @Override
  public ChangeBody keeping(Keep newKeep) {
    return new ChangeBody(terms, leaseNeeded, change, newKeep);
  }

  /** A change of the properties. */
  public interface Change {
    /** Returns why this blob cannot be changed; null if it can. */
    default @Nullable ServiceError refusal(BlobProperties blob) {
      return null;
    }

    /**
     * Returns the changed blob.
     *
     * @param ticks the time of the change, for changes that give a new ETag
     */
    BlobProperties apply(BlobProperties blob, long ticks);

    /** Returns true if a protected blob can be changed, too (blob-features 6.2). */
    default boolean isAllowedOnImmutable() {
      return false;
    }

    /** Returns true if the change makes a version (blob-features 3.2). */
    default boolean makesVersion() {
      return false;
    }

    /** Returns the tags that the change gives the blob; empty if it gives none. */
    default BlobTags givenTags() {
      return BlobTags.NONE;
    }

    /** Returns the same change, whose tags have the given stamp. */
    default Change withTagStamp(long stamp) {
      return this;
    }
  }

  /** Replaces the tags of a blob. */
  public record TagChange(BlobTags givenTags) implements Change {
    @Override
    public boolean isAllowedOnImmutable() {
      return true;
    }

    @Override
    public BlobProperties apply(BlobProperties blob, long ticks) {
      return blob.withTags(givenTags);
    }

    @Override
    public Change withTagStamp(long stamp) {
      return new TagChange(givenTags.stamped(stamp));
    }
  }

  @Override
  public BlobTags givenTags() {
    return change.givenTags();
  }

  @Override
  public ChangeBody withTagStamp(long stamp) {
    return new ChangeBody(terms, leaseNeeded, change.withTagStamp(stamp), keep);
  }

  @Override
  public TransactionResult<BlobProperties> run(PartitionView partition) {
    BlobView view = new BlobView(partition);
    BlobProperties old = view.find();
    if (old == null) {
      return TransactionResult.refused(BlobErrors.BLOB_NOT_FOUND);
    }
    ServiceError refusal =
        leaseNeeded
            ? terms.writeRefusal(Conditions.Use.WRITE, old)
            : terms.readRefusal(Conditions.Use.WRITE, old);
    if (refusal == null) {
      refusal = old.isCopyPending() ? BlobErrors.PENDING_COPY : change.refusal(old);
    }
    if (refusal == null && !change.isAllowedOnImmutable()) {
      refusal = old.changeRefusal();
    }
    if (refusal != null) {
      return TransactionResult.refused(refusal);
    }
    long ticks = view.newTicks();
    BlobProperties changed = change.apply(old, ticks);
    BlobProperties stored =
        leaseNeeded ? changed.withLease(changed.lease().afterWrite(terms.now())) : changed;
    if (change.makesVersion()) {
      Replacement version = new Replacement(partition, keep.versionsOnly(), old);
      BlobProperties fresh = keep.versions() ? stored.withCreation(ticks) : stored;
      return TransactionResult.done(version.put(fresh, ticks));
    }
    view.put(stored);
    return TransactionResult.done(stored);
  }
}
