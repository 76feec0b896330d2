package io.lazuli.server.blob.encoding;

import io.lazuli.server.blob.model.BlobType;

/**
 * The value of the row {@code q}: a summary of the former states of a blob, which are its previous
 * versions and its soft-deleted states. The row exists as long as there are such states. Every
 * transaction that adds, moves or removes one writes it, so that a reader of the row notices.
 *
 * @param type the type of the newest former state
 * @param versions the number of previous versions
 * @param deleted the number of soft-deleted states
 * @param lastTicks a time that is not before any time that names a former state
 * @param floorTicks states that were deleted before this time cannot be restored any more
 */
public record BlobHistory(
    BlobType type, long versions, long deleted, long lastTicks, long floorTicks) {
  public static final BlobHistory NONE = new BlobHistory(BlobType.BLOCK, 0, 0, 0, 0);

  private static final int VERSION = 1;

  public static BlobHistory decode(byte[] record) {
    RecordInput in = new RecordInput(record, VERSION);
    return in.finish(
        new BlobHistory(
            in.readOneOf(BlobPropertiesCodec.TYPES),
            in.readLong(),
            in.readLong(),
            in.readLong(),
            in.readLong()));
  }

  public byte[] encode() {
    return new RecordOutput(VERSION)
        .writeOneOf(BlobPropertiesCodec.TYPES, type)
        .writeLong(versions)
        .writeLong(deleted)
        .writeLong(lastTicks)
        .writeLong(floorTicks)
        .finish();
  }

  public boolean isEmpty() {
    return versions == 0 && deleted == 0;
  }

  public BlobHistory withType(BlobType newType) {
    return new BlobHistory(newType, versions, deleted, lastTicks, floorTicks);
  }

  public BlobHistory withVersions(long count) {
    return new BlobHistory(type, count, deleted, lastTicks, floorTicks);
  }

  public BlobHistory withDeleted(long count) {
    return new BlobHistory(type, versions, count, lastTicks, floorTicks);
  }

  public BlobHistory withLastTicks(long ticks) {
    return new BlobHistory(type, versions, deleted, Math.max(lastTicks, ticks), floorTicks);
  }

  public BlobHistory withFloor(long ticks) {
    return new BlobHistory(type, versions, deleted, lastTicks, ticks);
  }
}
