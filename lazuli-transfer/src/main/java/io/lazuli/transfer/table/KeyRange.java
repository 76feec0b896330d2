package io.lazuli.transfer.table;

import io.lazuli.transfer.entity.Key;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A range of keys. The service compares keys, never this program, so it does not matter in which
 * order the service keeps unusual characters.
 *
 * @param after the range starts after this entity; null if it starts with {@code from}
 * @param from the range starts with this entity, or with the partition if the row is empty; null
 *     for the start of the table
 * @param to the range ends before this entity, or before the partition if the row is empty; null
 *     for the end of the table
 */
record KeyRange(@Nullable Key after, @Nullable Key from, @Nullable Key to) {
  static final KeyRange ALL = new KeyRange(null, null, null);

  /** Returns the part of the range after an entity. */
  KeyRange after(Key key) {
    return new KeyRange(key, null, to);
  }

  /** Returns the part of the range before a place. */
  KeyRange before(Key end) {
    return new KeyRange(after, from, end);
  }

  /**
   * Returns the filters that together find the range, in the order of their keys. Each of them
   * names one partition or a range of partitions, so that the service seeks.
   */
  List<String> filters() {
    Key start = after == null ? from : after;
    boolean inside = start != null && (after != null || !start.row().isEmpty());
    List<String> filters = new ArrayList<>();
    if (start != null && inside) {
      String rows = after == null ? " and RowKey ge " : " and RowKey gt ";
      String first = "PartitionKey eq " + quoted(start.partition()) + rows + quoted(start.row());
      if (to != null && to.partition().equals(start.partition())) {
        return List.of(first + " and RowKey lt " + quoted(to.row()));
      }
      filters.add(first);
    }
    String middle = start == null ? "" : partitions(inside ? "gt" : "ge", start);
    if (to != null) {
      middle += (middle.isEmpty() ? "" : " and ") + partitions("lt", to);
    }
    filters.add(middle);
    if (to != null && !to.row().isEmpty()) {
      filters.add(
          "PartitionKey eq " + quoted(to.partition()) + " and RowKey lt " + quoted(to.row()));
    }
    return filters;
  }

  private static String partitions(String operator, Key key) {
    return "PartitionKey " + operator + " " + quoted(key.partition());
  }

  static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
