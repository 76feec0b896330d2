package io.lazuli.server.blob.model;

import io.lazuli.server.error.ServiceError;

/** What can be leased; each kind has codes and texts of its own. */
public enum LeasedResource {
  BLOB(
      BlobErrors.BLOB_LEASE_ID_MISSING,
      BlobErrors.BLOB_LEASE_MISMATCH,
      BlobErrors.BLOB_LEASE_LOST,
      BlobErrors.BLOB_WITHOUT_LEASE,
      BlobErrors.BLOB_LEASE_ACTION_MISMATCH,
      BlobErrors.BLOB_LEASE_ACTION_WITHOUT_LEASE),
  CONTAINER(
      BlobErrors.CONTAINER_LEASE_ID_MISSING,
      BlobErrors.CONTAINER_LEASE_MISMATCH,
      BlobErrors.CONTAINER_LEASE_LOST,
      BlobErrors.CONTAINER_WITHOUT_LEASE,
      BlobErrors.CONTAINER_LEASE_ACTION_MISMATCH,
      BlobErrors.CONTAINER_LEASE_ACTION_WITHOUT_LEASE);

  private final ServiceError idMissing;
  private final ServiceError mismatch;
  private final ServiceError lost;
  private final ServiceError absent;
  private final ServiceError actionMismatch;
  private final ServiceError actionWithoutLease;

  LeasedResource(
      ServiceError idMissing,
      ServiceError mismatch,
      ServiceError lost,
      ServiceError absent,
      ServiceError actionMismatch,
      ServiceError actionWithoutLease) {
    this.idMissing = idMissing;
    this.mismatch = mismatch;
    this.lost = lost;
    this.absent = absent;
    this.actionMismatch = actionMismatch;
    this.actionWithoutLease = actionWithoutLease;
  }

  ServiceError idMissing() {
    return idMissing;
  }

  ServiceError mismatch() {
    return mismatch;
  }

  ServiceError lost() {
    return lost;
  }

  ServiceError absent() {
    return absent;
  }

  ServiceError actionMismatch() {
    return actionMismatch;
  }

  ServiceError actionWithoutLease() {
    return actionWithoutLease;
  }
}
