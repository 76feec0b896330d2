package io.lazuli.server.blob.transaction;

import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.LeaseAction;
import io.lazuli.server.blob.model.LeaseOutcome;
import io.lazuli.server.blob.model.LeasedResource;
import io.lazuli.server.blob.partition.BlobView;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;

/**
 * Carries out a lease operation. The lease ids are part of the action, so no lease id is checked as
 * a precondition.
 */
public record LeaseBody(Conditions conditions, long now, LeaseAction action)
    implements TransactionBody<TransactionResult<LeaseBody.Leased>> {
  /**
   * A lease operation took place.
   *
   * @param blob the properties of the blob from now on
   * @param secondsLeft the seconds until the lease is broken; only after a break
   */
  public record Leased(BlobProperties blob, int secondsLeft) {}

  @Override
  public TransactionResult<Leased> run(PartitionView partition) {
    BlobView view = new BlobView(partition);
    BlobProperties blob = view.find();
    if (blob == null) {
      return TransactionResult.refused(BlobErrors.BLOB_NOT_FOUND);
    }
    ServiceError refusal =
        new BlobTerms(conditions, null, now).readRefusal(Conditions.Use.WRITE, blob);
    if (refusal != null) {
      return TransactionResult.refused(refusal);
    }
    LeaseOutcome outcome = blob.lease().apply(action, LeasedResource.BLOB, now);
    if (outcome.refusal() != null) {
      return TransactionResult.refused(outcome.refusal());
    }
    BlobProperties leased = blob.withLease(outcome.lease());
    view.put(leased);
    return TransactionResult.done(new Leased(leased, outcome.secondsLeft()));
  }
}
