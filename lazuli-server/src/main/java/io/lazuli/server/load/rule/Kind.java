package io.lazuli.server.load.rule;

/** The kinds of diagnoses, with the remedy of each and the page that explains it. */
public enum Kind {
  APPEND(
      "append",
      "Append pattern",
      "Begin the PartitionKey with something that spreads, for example the source of the event, and"
          + " keep the time in the RowKey. Inserts then reach many partitions at once. If this is"
          + " an import in key order, it ends by itself.",
      "spread"),
  PREPEND(
      "prepend",
      "Prepend pattern",
      "Begin the PartitionKey with something that spreads, for example the source of the event."
          + " Newest first is a matter of the RowKey, not of the PartitionKey. If this is an import"
          + " in key order, it ends by itself.",
      "spread"),
  HOT_ENTITY(
      "hot.entity",
      "Hot entity",
      "If it is mostly read, keep it in the clients for some seconds. If it is mostly written,"
          + " split it into parts that are added up when read.",
      "lookup"),
  CONTENDED_ENTITY(
      "hot.entity.conflict",
      "Contended entity",
      "Give each writer an entity of its own and add them up, or let one worker write, fed by a"
          + " queue.",
      "series"),
  HOT_PARTITION(
      "hot.partition",
      "Single hot partition",
      "Spread the partition over several ones by a hash of what differs between its entities, and"
          + " merge them when you read. If it is mostly read, let clients keep it for a while.",
      "spread"),
  FILTER_WITHOUT_KEY(
      "filter.nokey",
      "Filter without a key",
      "Give the PartitionKey, or keep copies or lists under the property that is looked for.",
      "inter-partition-index"),
  SCANS(
      "scans",
      "Scan-heavy table",
      "Look at its dearest shapes: what they filter by should be part of a key.",
      "key"),
  FAN_OUT(
      "fanout",
      "Wide fan-out",
      "Keep what is shown together together: a copy in one partition, made when data changes, is"
          + " read in one query.",
      "copies"),
  LARGE(
      "large",
      "Large entities",
      "Put large values into blobs and their addresses into the entity.",
      "large"),
  QUEUE_UNREAD(
      "queue.unread",
      "Queue without consumers",
      "Start a worker, or stop who puts the messages.",
      "outbox"),
  POISON(
      "poison",
      "Poison growth",
      "Open a message to see what fails, repair the worker, then requeue them.",
      "outbox"),
  THROTTLED(
      "throttled",
      "Throttled account",
      "Spread the busiest partition, send less, or raise the target. SDKs repeat such requests by"
          + " themselves, so users see delay, not errors.",
      "spread"),
  BATCHES(
      "batches",
      "Small random batches",
      "Sort what is to be written by PartitionKey before it is packed, up to 100 to a transaction."
          + " Single writes are cheaper than transactions of one.",
      "key");

  private final String key;
  private final String title;
  private final String remedy;
  private final String pattern;

  Kind(String key, String title, String remedy, String pattern) {
    this.key = key;
    this.title = title;
    this.remedy = remedy;
    this.pattern = pattern;
  }

  public String key() {
    return key;
  }

  public String title() {
    return title;
  }

  public String remedy() {
    return remedy;
  }

  /** Returns the page of {@code docs/patterns} that explains the remedy. */
  public String pattern() {
    return pattern;
  }

  static Kind of(String key) {
    for (Kind kind : values()) {
      if (kind.key.equals(key)) {
        return kind;
      }
    }
    throw new IllegalArgumentException("unknown kind " + key);
  }
}
