package io.lazuli.client.pattern.keydesign;

import java.util.List;

/** A fault in the design of keys, with the Table Design Guide's remedy. */
public enum Diagnosis {
  /** All inserts go to the end of the table, for example because the partition key is the time. */
  APPEND(
      "Append pattern",
      "Begin the PartitionKey with something that spreads, for example the source of the event,"
          + " and keep the time in the RowKey. Inserts then reach many partitions at once. If this"
          + " is an import in key order, it ends by itself."),
  /** All inserts go to the start of the table, for example because the time is counted down. */
  PREPEND(
      "Prepend pattern",
      "Begin the PartitionKey with something that spreads, for example the source of the event,"
          + " and keep the time in the RowKey. Newest first is a matter of the RowKey, not of the"
          + " PartitionKey."),
  /** One partition takes most of the requests. */
  HOT_PARTITION(
      "Single hot partition",
      "Spread ‘{partition}’ over {buckets} partitions by a hash of what differs between its"
          + " entities, and merge them when you read. If it is mostly read, let clients keep it for"
          + " a while."),
  /** A query touches many partitions. */
  FAN_OUT(
      "Wide fan-out",
      "Keep what is shown together together: a copy in one partition, made when data changes, is"
          + " read in one query.");

  private static final String SPREAD = "docs/patterns/spread.md";

  private final String title;
  private final String remedy;

  Diagnosis(String title, String remedy) {
    this.title = title;
    this.remedy = remedy;
  }

  /** Returns the name for readers: {@code Append pattern}. */
  public String title() {
    return title;
  }

  /** Returns the remedy, with placeholders in braces. */
  String remedy() {
    return remedy;
  }

  /** Returns the pages about the patterns that help: {@code docs/patterns/spread.md}. */
  public List<String> pages() {
    return switch (this) {
      case APPEND -> List.of(SPREAD);
      case PREPEND -> List.of(SPREAD, "docs/patterns/logtail.md");
      case HOT_PARTITION -> List.of(SPREAD, "docs/patterns/lookup.md");
      case FAN_OUT -> List.of("docs/patterns/copies.md");
    };
  }
}
