package io.lazuli.server.blob.protection;

/**
 * How an account protects its blobs from being lost (blob-features 2, 3 and 6).
 *
 * @param versions true if a replaced or deleted state becomes a previous version
 * @param deletedDays the days for which deleted blobs and snapshots can be restored; 0 for none
 * @param permanentDelete true if a soft-deleted snapshot or version may be erased early
 */
public record BlobProtection(boolean versions, int deletedDays, boolean permanentDelete) {
  public static final BlobProtection NONE = new BlobProtection(false, 0, false);
}
