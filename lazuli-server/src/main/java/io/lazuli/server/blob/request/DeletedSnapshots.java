package io.lazuli.server.blob.request;

/** The value of {@code x-ms-delete-snapshots} (blob-rest 10.6). */
public enum DeletedSnapshots {
  /** No header: a blob that has snapshots cannot be deleted. */
  NOT_SAID,
  INCLUDE,
  ONLY
}
