package io.lazuli.server.design;

/**
 * A second way to the entities of a table: copies, or lists of keys.
 *
 * @param name the first property that it is searched by, as a word of keys
 */
public record Path(String name, Placement placement, Keys keys) {
  /** Where the copies or lists are, and what keeps them up to date. */
  public enum Placement {
    /** Copies in the partition of the entity, written by its transaction. */
    ROWS,
    /** Lists of keys in the partition of the entity, written by its transaction. */
    LIST_ROWS,
    /** Copies in other partitions, which follow through an outbox. */
    PARTITIONS,
    /** Lists of keys in another partition, which follow through an outbox. */
    LIST_PARTITION,
    /** Lists of keys that are too long for entities: blobs, which follow through an outbox. */
    LIST_BLOBS;

    public boolean isList() {
      return this == LIST_ROWS || this == LIST_PARTITION || this == LIST_BLOBS;
    }

    boolean isHere() {
      return this == ROWS || this == LIST_ROWS;
    }
  }
}
