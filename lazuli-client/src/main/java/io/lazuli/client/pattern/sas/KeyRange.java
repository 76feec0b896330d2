package io.lazuli.client.pattern.sas;

import io.lazuli.client.entity.EntityKey;

/** The rows between two keys, inclusive, in the order of partition key and row key. Immutable. */
public record KeyRange(EntityKey first, EntityKey last) {
  private static final String HIGHEST = "\uffff";

  /** Rejects a range without rows. */
  public KeyRange {
    int partitions = first.partitionKey().compareTo(last.partitionKey());
    if (partitions > 0 || (partitions == 0 && first.rowKey().compareTo(last.rowKey()) > 0)) {
      throw new IllegalArgumentException("the range is empty: " + first + " to " + last);
    }
  }

  /** Returns the range of all rows of a partition. */
  public static KeyRange partition(String partitionKey) {
    return between(partitionKey, "", HIGHEST);
  }

  /** Returns the range of the rows of a partition whose row keys begin with a prefix. */
  public static KeyRange prefix(String partitionKey, String rowKeyPrefix) {
    return between(partitionKey, rowKeyPrefix, rowKeyPrefix + HIGHEST);
  }

  /** Returns the range of the rows of a partition from one row key to another, inclusive. */
  public static KeyRange between(String partitionKey, String firstRow, String lastRow) {
    return new KeyRange(
        new EntityKey(partitionKey, firstRow), new EntityKey(partitionKey, lastRow));
  }
}
