package io.lazuli.server.blob.request;

/**
 * The former states of blobs that a listing includes (blob-features 2.4 and 3.4).
 *
 * @param deleted soft-deleted blobs; also soft-deleted snapshots and versions, if the listing
 *     includes snapshots or versions
 * @param versions previous versions
 * @param versionsOnly one item for each blob that was deleted but has previous versions
 */
public record FormerStates(boolean deleted, boolean versions, boolean versionsOnly) {
  public static final FormerStates NONE = new FormerStates(false, false, false);

  public boolean any() {
    return deleted || versions || versionsOnly;
  }
}
