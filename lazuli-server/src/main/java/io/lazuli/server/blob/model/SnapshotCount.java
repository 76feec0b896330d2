package io.lazuli.server.blob.model;

/**
 * The number of a blob's snapshots. It is stored in the properties, because a scan inside a
 * transaction is not checked at commit.
 *
 * @param lastTicks the time of the newest snapshot that was ever taken; the next snapshot is later
 */
public record SnapshotCount(int count, long lastTicks) {
  public static final SnapshotCount NONE = new SnapshotCount(0, 0);
}
