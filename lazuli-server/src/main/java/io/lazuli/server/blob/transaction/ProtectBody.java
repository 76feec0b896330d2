package io.lazuli.server.blob.transaction;

import io.lazuli.server.blob.encoding.BlobPropertiesCodec;
import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.OptionalProperties;
import io.lazuli.server.blob.partition.BlobView;
import io.lazuli.server.blob.protection.ImmutabilityPolicy;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.request.NamedState;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;
import org.jspecify.annotations.Nullable;

/**
 * Changes the immutability policy or the legal hold of a blob, or of one of its snapshots or
 * versions (blob-features 6.1). Nothing else changes, and no lease is needed.
 *
 * @param state null for the blob itself
 * @param now the time that decides whether a policy is active
 */
public record ProtectBody(
    @Nullable NamedState state, Conditions conditions, long now, Change change)
    implements TransactionBody<TransactionResult<BlobProperties>> {
  /** A change of the protection. */
  public sealed interface Change {}

  /**
   * Sets the immutability policy.
   *
   * @param policy null to remove it
   */
  public record PolicyChange(@Nullable ImmutabilityPolicy policy) implements Change {}

  /** Sets or ends the legal hold. */
  public record HoldChange(boolean hold) implements Change {}

  @Override
  public TransactionResult<BlobProperties> run(PartitionView partition) {
    BlobView view = new BlobView(partition);
    BlobProperties blob = view.find();
    Bytes row = state == null ? BlobRows.PROPERTIES : view.row(state);
    byte[] record = partition.read(row);
    BlobProperties old = record == null ? null : BlobPropertiesCodec.decode(record);
    if (old == null || !old.isCommitted()) {
      return TransactionResult.refused(BlobErrors.BLOB_NOT_FOUND);
    }
    ServiceError refusal = refusal(old);
    if (refusal != null) {
      return TransactionResult.refused(refusal);
    }
    BlobProperties changed = old.withOptional(changed(old.optional()));
    partition.put(row, BlobPropertiesCodec.encode(changed));
    if (blob != null && state != null && state.isSnapshot()) {
      // A deletion finds snapshots by a scan, so only this row shows it that one has changed.
      view.put(blob);
    }
    return TransactionResult.done(changed);
  }

  private @Nullable ServiceError refusal(BlobProperties old) {
    ServiceError refusal = conditions.refusal(Conditions.Use.WRITE, old.changedTicks());
    ImmutabilityPolicy before = old.optional().immutability();
    if (refusal == null && before != null && change instanceof PolicyChange next) {
      return before.mayBecome(next.policy(), now) ? null : BlobErrors.IMMUTABLE_DUE_TO_POLICY;
    }
    return refusal;
  }

  private OptionalProperties changed(OptionalProperties old) {
    return change instanceof PolicyChange next
        ? old.withImmutability(next.policy())
        : old.withLegalHold(((HoldChange) change).hold());
  }
}
