package io.lazuli.storage.hbase.history;

import java.util.List;
import java.util.Map;
import java.util.SortedSet;

/**
 * All that clients did to partitions whose rows are there throughout, beginning with the number 0.
 *
 * @param rows of every target that is scanned
 * @param ends the number of each partition when everything was over
 */
record History(
    List<Operation> operations, Map<String, SortedSet<String>> rows, Map<String, Long> ends) {
  History {
    operations = List.copyOf(operations);
    rows = Map.copyOf(rows);
    ends = Map.copyOf(ends);
  }
}
