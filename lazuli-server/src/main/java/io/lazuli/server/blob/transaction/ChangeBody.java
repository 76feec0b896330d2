package io.lazuli.server.blob.transaction;

import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.partition.BlobView;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;
import org.jspecify.annotations.Nullable;

/** Changes the properties of a blob and nothing else: metadata, headers, tags, tier, seal. */
public record ChangeBody(BlobTerms terms, boolean leaseNeeded, Change change)
    implements TransactionBody<BodyResult> {
  /** What is changed. */
  public interface Change {
    /** Why this blob cannot be changed so; null if it can. */
    default @Nullable ServiceError refusal(BlobProperties blob) {
      return null;
    }

    /**
     * The changed blob.
     *
     * @param ticks for a change that shows in the ETag
     */
    BlobProperties apply(BlobProperties blob, long ticks);
  }

  @Override
  public BodyResult run(PartitionView partition) {
    BlobView view = new BlobView(partition);
    BlobProperties old = view.find();
    ServiceError refusal =
        leaseNeeded
            ? terms.writeRefusal(Conditions.Use.WRITE, old)
            : terms.readRefusal(Conditions.Use.WRITE, old);
    if (refusal == null && old != null) {
      refusal = change.refusal(old);
    }
    if (refusal != null || old == null) {
      return new BodyResult(refusal, null, 0, false);
    }
    BlobProperties changed = change.apply(old, view.newTicks());
    BlobProperties stored =
        leaseNeeded ? changed.withLease(changed.lease().afterWrite(terms.now())) : changed;
    view.put(stored);
    return BodyResult.done(stored);
  }
}
