package io.lazuli.server.blob.model;

import io.lazuli.server.error.ServiceError;

/** The errors of one kind of resource that can be leased. */
public record LeasedResource(
    ServiceError idMissing,
    ServiceError mismatch,
    ServiceError lost,
    ServiceError absent,
    ServiceError actionMismatch,
    ServiceError actionWithoutLease) {
  public static final LeasedResource BLOB =
      new LeasedResource(
          BlobErrors.BLOB_LEASE_ID_MISSING,
          BlobErrors.BLOB_LEASE_MISMATCH,
          BlobErrors.BLOB_LEASE_LOST,
          BlobErrors.BLOB_WITHOUT_LEASE,
          BlobErrors.BLOB_LEASE_ACTION_MISMATCH,
          BlobErrors.BLOB_LEASE_ACTION_WITHOUT_LEASE);
  public static final LeasedResource CONTAINER =
      new LeasedResource(
          BlobErrors.CONTAINER_LEASE_ID_MISSING,
          BlobErrors.CONTAINER_LEASE_MISMATCH,
          BlobErrors.CONTAINER_LEASE_LOST,
          BlobErrors.CONTAINER_WITHOUT_LEASE,
          BlobErrors.CONTAINER_LEASE_ACTION_MISMATCH,
          BlobErrors.CONTAINER_LEASE_ACTION_WITHOUT_LEASE);
}
