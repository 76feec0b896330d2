package io.lazuli.client.query;

/**
 * The kind of a query, and the advice that the Table Design Guide gives for it. Immutable.
 *
 * @param kind how the service finds the entities
 * @param advice one sentence: why the query is fine, or what would be better
 */
public record Explanation(Kind kind, String advice) {
  /** How the service finds the entities, from the cheapest way to the most expensive. */
  public enum Kind {
    /** No entity can match. */
    NONE("The conditions on the keys contradict each other: no entity can match."),
    /** One entity, by both keys. */
    POINT("A point query is the most efficient lookup there is: it names both keys."),
    /** Several entities, each by both keys, joined by {@code or}. */
    POINTS(
        "An 'or' of keys is not treated as lookups by Azure, which scans; send one point query for"
            + " each key, in parallel."),
    /** An interval of row keys in each of some given partitions. */
    ROW_RANGE("A range query reads only the rows between two row keys of a partition."),
    /** All entities of some given partitions. */
    PARTITION(
        "A partition scan reads every entity of the partition; add a condition on the row key, or"
            + " keep a copy under a row key that begins with the value (intra-partition secondary"
            + " index pattern)."),
    /** The partitions are not given. */
    TABLE(
        "A table scan does not include the partition key and is very inefficient, because it"
            + " searches all of the partitions that make up the table in turn; give the partition"
            + " key, or keep a copy under the key you look for (secondary index patterns).");

    private final String advice;

    Kind(String advice) {
      this.advice = advice;
    }
  }

  static Explanation of(Kind kind) {
    return new Explanation(kind, kind.advice);
  }
}
