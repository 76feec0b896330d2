package io.lazuli.client.query;

/**
 * The kind of a query, what Azure would do with it, and the advice that the Table Design Guide
 * gives for it. Immutable.
 *
 * @param kind how the keys restrict the search, which is how Lazuli finds the entities
 * @param onAzure how Azure finds them: Azure searches more than necessary if the condition joins
 *     keys by {@code or}
 * @param advice one sentence: why the query is fine, or what would be better
 */
public record Explanation(Kind kind, Kind onAzure, String advice) {
  /** How a service finds the entities, from the cheapest way to the most expensive. */
  public enum Kind {
    /** No entity can match. */
    NONE(
        "The conditions on the keys contradict each other: no entity can match.",
        "returns nothing, although it may search first"),
    /** One entity, by both keys. */
    POINT(
        "A point query is the most efficient lookup there is: it names both keys.",
        "looks up one entity"),
    /** Several entities, each by both keys, joined by {@code or}. */
    POINTS(
        "An 'or' of keys is not treated as lookups by Azure, which scans; send one point query for"
            + " each key, in parallel.",
        "looks up each entity"),
    /** An interval of row keys in each of some given partitions. */
    ROW_RANGE(
        "A range query reads only the rows between two row keys of a partition.",
        "reads the rows of the range, with up to 1,000 entities in an answer"),
    /** All entities of some given partitions. */
    PARTITION(
        "A partition scan reads every entity of the partition; add a condition on the row key, or"
            + " keep a copy under a row key that begins with the value (intra-partition secondary"
            + " index pattern).",
        "reads the whole partition; an answer ends after 1,000 entities or five seconds"),
    /** The partitions are not given. */
    TABLE(
        "A table scan does not include the partition key and is very inefficient, because it"
            + " searches all of the partitions that make up the table in turn; give the partition"
            + " key, or keep a copy under the key you look for (secondary index patterns).",
        "reads the whole table, one partition server after the other; an answer ends after 1,000"
            + " entities, five seconds, or at the border of a partition");

    private final String advice;
    private final String search;

    Kind(String advice, String search) {
      this.advice = advice;
      this.search = search;
    }
  }

  static Explanation of(Kind kind, Kind onAzure) {
    return new Explanation(kind, onAzure, kind.advice);
  }

  /** Returns one sentence that says what Azure would do with the query. */
  public String azure() {
    String why =
        kind == onAzure ? "" : "; it does not use keys that are joined by 'or' to search less";
    return "Azure " + onAzure.search + why + ".";
  }
}
