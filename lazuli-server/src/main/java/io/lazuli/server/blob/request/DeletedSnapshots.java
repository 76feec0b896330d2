package io.lazuli.server.blob.request;

/** What {@code x-ms-delete-snapshots} says (blob-rest 10.6). */
public enum DeletedSnapshots {
  /** Nothing: a blob that has snapshots stays. */
  NOT_SAID,
  INCLUDE,
  ONLY
}
