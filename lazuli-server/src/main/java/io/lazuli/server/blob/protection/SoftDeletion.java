package io.lazuli.server.blob.protection;

/**
 * The deletion of a blob, snapshot or version that can still be restored (blob-features 2).
 *
 * @param deletedTicks the time of the deletion
 * @param endTicks the time from which it is gone; fixed when it was deleted
 */
public record SoftDeletion(long deletedTicks, long endTicks) {}
