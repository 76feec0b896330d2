package io.lazuli.server.blob.transaction;

import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.LeaseAction;
import io.lazuli.server.blob.model.LeaseOutcome;
import io.lazuli.server.blob.model.LeasedResource;
import io.lazuli.server.blob.partition.BlobView;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;

/** A lease operation; its ids are part of the action, so the terms have none. */
public record LeaseBody(Conditions conditions, long now, LeaseAction action)
    implements TransactionBody<BodyResult> {
  @Override
  public BodyResult run(PartitionView partition) {
    BlobView view = new BlobView(partition);
    BlobProperties blob = view.find();
    ServiceError refusal =
        new BlobTerms(conditions, null, now).readRefusal(Conditions.Use.WRITE, blob);
    if (refusal != null || blob == null) {
      return new BodyResult(refusal, null, 0, false);
    }
    LeaseOutcome outcome = blob.lease().apply(action, LeasedResource.BLOB, now);
    if (outcome.refusal() != null) {
      return BodyResult.refused(outcome.refusal());
    }
    BlobProperties leased = blob.withLease(outcome.lease());
    view.put(leased);
    return BodyResult.doneAt(leased, outcome.secondsLeft());
  }
}
