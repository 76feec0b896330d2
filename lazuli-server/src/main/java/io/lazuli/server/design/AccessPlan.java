package io.lazuli.server.design;

import org.jspecify.annotations.Nullable;

/**
 * How an access is carried out, and what one costs.
 *
 * @param path the number of the path that is used; -1 for the keys of the entity
 * @param kind the kind of its query; null for a write by key
 * @param read the entities that are read
 * @param returned the entities that the program gets
 * @param requests the requests of the client and of workers
 * @param written the entities and blobs that are written
 * @param sorts true if the client has to sort what it gets
 */
public record AccessPlan(
    Access access,
    int path,
    @Nullable Kind kind,
    double read,
    double returned,
    double requests,
    double written,
    boolean sorts) {
  /** A kind of query, by the names that the server's explain uses. */
  public enum Kind {
    POINT("point"),
    RANGE("range"),
    PARTITION_SCAN("partition scan"),
    TABLE_SCAN("table scan");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }

  /** How much an entity that is read costs, in requests. */
  private static final double READ_WEIGHT = 0.01;

  /** How much an entity that is written costs, in requests. */
  private static final double WRITE_WEIGHT = 0.1;

  /** How much an entity that the client sorts costs, in requests: less than to read it. */
  private static final double SORT_WEIGHT = 0.001;

  /** Returns the cost of one, in requests. */
  double cost() {
    double sorted = sorts ? read : 0;
    return requests + READ_WEIGHT * read + WRITE_WEIGHT * written + SORT_WEIGHT * sorted;
  }

  double costPerSecond() {
    return access.perSecond() * cost();
  }

  /** Returns whether much more is read than the program gets. */
  boolean isWasteful() {
    return read > 2 * returned + 2;
  }
}
