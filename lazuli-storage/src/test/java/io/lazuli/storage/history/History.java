package io.lazuli.storage.history;

import java.util.List;
import java.util.Map;
import java.util.SortedSet;

/**
 * All operations of clients on partitions whose rows always exist and begin with the number 0.
 *
 * @param rows the rows of every target that is scanned
 * @param ends the number of each partition at the end
 */
public record History(
    List<Operation> operations, Map<String, SortedSet<String>> rows, Map<String, Long> ends) {
  /** The target of a scan of everything. */
  public static final String EVERYTHING = "*";

  public History {
    operations = List.copyOf(operations);
    rows = Map.copyOf(rows);
    ends = Map.copyOf(ends);
  }
}
