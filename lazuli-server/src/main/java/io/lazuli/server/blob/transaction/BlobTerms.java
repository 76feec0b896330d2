package io.lazuli.server.blob.transaction;

import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.Lease;
import io.lazuli.server.blob.model.LeasedResource;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.request.RequestTerms;
import io.lazuli.server.error.ServiceError;
import io.lazuli.storage.StorageEngine;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The preconditions of a request on the current blob. They are checked in the order of blob-rest
 * 4.4: the blob exists, then the lease, then the conditions. The checks of the operation itself
 * follow.
 *
 * @param leaseId null if the request gave none
 * @param now the engine's time when the request arrived
 * @param clock the time that decides whether an immutability policy is active
 * @param mayOverwrite false if the caller may only create new blobs
 */
public record BlobTerms(
    Conditions conditions, @Nullable UUID leaseId, long now, long clock, boolean mayOverwrite) {
  public BlobTerms(Conditions conditions, @Nullable UUID leaseId, long now) {
    this(conditions, leaseId, now, now, true);
  }

  public BlobTerms(RequestTerms terms, long now) {
    this(terms, now, true);
  }

  public BlobTerms(RequestTerms terms, long now, boolean mayOverwrite) {
    this(terms.conditions(), terms.leaseId(), now, now, mayOverwrite);
  }

  /** Returns the preconditions of a request that replaces or deletes a state of the blob. */
  public static BlobTerms of(RequestTerms terms, StorageEngine engine, boolean mayOverwrite) {
    return new BlobTerms(
        terms.conditions(), terms.leaseId(), engine.now(), engine.clock(), mayOverwrite);
  }

  /** Returns why an operation that changes the blob is refused; null if it is allowed. */
  public @Nullable ServiceError writeRefusal(Conditions.Use use, @Nullable BlobProperties blob) {
    return refusal(use, blob, true);
  }

  /** Returns why an operation that needs no lease is refused; null if it is allowed. */
  public @Nullable ServiceError readRefusal(Conditions.Use use, @Nullable BlobProperties blob) {
    return refusal(use, blob, false);
  }

  private @Nullable ServiceError refusal(
      Conditions.Use use, @Nullable BlobProperties blob, boolean leaseNeeded) {
    BlobProperties there = blob != null && blob.isCommitted() ? blob : null;
    if (there == null && (use == Conditions.Use.READ || use == Conditions.Use.WRITE)) {
      return BlobErrors.BLOB_NOT_FOUND;
    }
    boolean puts =
        use == Conditions.Use.CREATE
            || use == Conditions.Use.COPY_TARGET
            || use == Conditions.Use.URL_TARGET;
    if (there != null && puts && !mayOverwrite) {
      return BlobErrors.OVERWRITE_NOT_AUTHORISED;
    }
    ServiceError refusal = leaseRefusal(there == null ? Lease.NONE : there.lease(), leaseNeeded);
    if (refusal != null) {
      return refusal;
    } else if (there != null && leaseNeeded && there.isCopyPending()) {
      return BlobErrors.PENDING_COPY;
    } else if (there != null && use == Conditions.Use.COPY_TARGET && isLeasedForATime(there)) {
      return BlobErrors.INFINITE_LEASE_REQUIRED;
    }
    return there == null
        ? conditions.refusalIfMissing(use)
        : conditions.refusal(use, there.changedTicks(), there.tags());
  }

  private boolean isLeasedForATime(BlobProperties blob) {
    return blob.lease().state(now).isLocked() && !blob.lease().isInfinite();
  }

  private @Nullable ServiceError leaseRefusal(Lease lease, boolean needed) {
    return needed
        ? lease.writeRefusal(LeasedResource.BLOB, leaseId, now)
        : lease.readRefusal(LeasedResource.BLOB, leaseId, now);
  }
}
