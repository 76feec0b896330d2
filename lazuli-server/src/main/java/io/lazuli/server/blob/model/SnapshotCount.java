package io.lazuli.server.blob.model;

/**
 * The number of a blob's snapshots. It is stored in the blob's properties and not counted by a
 * scan: a commit checks the records that a transaction read by key, but not those that it scanned.
 *
 * @param lastTicks the time of the newest snapshot that was ever taken; the next snapshot is later
 */
public record SnapshotCount(int count, long lastTicks) {
  public static final SnapshotCount NONE = new SnapshotCount(0, 0);
}
