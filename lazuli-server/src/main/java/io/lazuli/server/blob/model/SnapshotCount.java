package io.lazuli.server.blob.model;

/**
 * The snapshots of a blob, as its properties know them: kept there because a scan inside a
 * transaction promises nothing at its commit.
 *
 * @param lastTicks the time of the youngest ever made; the next one is later
 */
public record SnapshotCount(int count, long lastTicks) {
  public static final SnapshotCount NONE = new SnapshotCount(0, 0);
}
