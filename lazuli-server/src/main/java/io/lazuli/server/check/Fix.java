package io.lazuli.server.check;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Partition;
import io.lazuli.storage.RecordKey;
import io.lazuli.storage.Space;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The change that removes a damage without a guess: it moves records away, or writes records that
 * others determine completely, such as the rows of an index.
 *
 * @param space the space to change; null if there is nothing that a repair of records can do
 * @param partition the partition to change; null to move the whole space away
 * @param changes the new rows; empty to move the whole partition away, because the rest has no
 *     meaning without the damaged part
 */
public record Fix(@Nullable Space space, @Nullable Bytes partition, List<Change> changes) {
  public static final Fix NONE = new Fix(null, null, List.of());

  /**
   * The new content of a row.
   *
   * @param value null if the row is moved away
   */
  public record Change(Bytes row, byte @Nullable [] value) {}

  /** Returns the fix that moves one record away. */
  public static Fix remove(RecordKey key) {
    Partition partition = key.partition();
    return new Fix(partition.space(), partition.name(), List.of(new Change(key.row(), null)));
  }

  /** Returns the fix that writes one record. */
  public static Fix put(Partition partition, Bytes row, byte[] value) {
    return new Fix(partition.space(), partition.name(), List.of(new Change(row, value)));
  }

  /** Returns the fix that moves a whole partition away. */
  public static Fix removeAll(Partition partition) {
    return new Fix(partition.space(), partition.name(), List.of());
  }

  /** Returns the fix that moves a whole space away. */
  public static Fix removeAll(Space space) {
    return new Fix(space, null, List.of());
  }
}
