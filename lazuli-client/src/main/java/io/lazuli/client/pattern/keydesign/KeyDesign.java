package io.lazuli.client.pattern.keydesign;

import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.query.Query;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Checks a design of keys before it is used: sample keys in the order in which a program would
 * insert them, and the queries that it would send. Nothing is sent. Immutable.
 *
 * <p>{@link KeyWatch} applies the same rules to the requests of a running program.
 */
public final class KeyDesign {
  /** The minimum number of sample keys. */
  public static final int KEYS_MIN = Rules.REQUESTS_MIN;

  /** The ends of the table are read again after each tenth of the keys. */
  private static final int PERIODS = 10;

  private final List<EntityKey> keys;
  private final double insertsPerSecond;
  private final List<Query> queries;

  private KeyDesign(List<EntityKey> keys, double insertsPerSecond, List<Query> queries) {
    this.keys = keys;
    this.insertsPerSecond = insertsPerSecond;
    this.queries = queries;
  }

  /**
   * Returns the check of these keys.
   *
   * @param keys at least {@value #KEYS_MIN}, in the order in which they would be inserted. Do not
   *     pass the result of a query: it is in key order, which looks like an append
   */
  public static KeyDesign of(Collection<EntityKey> keys) {
    if (keys.size() < KEYS_MIN) {
      throw new IllegalArgumentException(
          "the check needs at least " + KEYS_MIN + " keys, not " + keys.size());
    }
    return new KeyDesign(List.copyOf(keys), 0, List.of());
  }

  /**
   * Returns this check for a given load. Without it, every finding is advice: the design would hurt
   * under load. With it, loads that are too small to hurt have no finding, and loads of more than a
   * quarter of what a partition can take are warnings.
   */
  public KeyDesign atRate(double inserts) {
    if (!(inserts > 0)) {
      throw new IllegalArgumentException("the rate must be greater than 0, not " + inserts);
    }
    return new KeyDesign(keys, inserts, queries);
  }

  /** Returns this check with a query that the program sends often. */
  public KeyDesign reading(Query query) {
    List<Query> all = new ArrayList<>(queries);
    all.add(query);
    return new KeyDesign(keys, insertsPerSecond, List.copyOf(all));
  }

  /** Returns the faults; empty if the design has none that the rules know. */
  public List<Finding> findings() {
    List<Finding> findings = new ArrayList<>();
    Rules.judge(load()).ifPresent(findings::add);
    int partitions = partitions();
    for (Query query : queries) {
      Set<String> named = query.partitionKeys();
      int touched = named.isEmpty() ? partitions : named.size();
      String text = query.filter().isEmpty() ? "The query for all entities" : "The query " + query;
      Rules.fanOut(shortened(text), touched, "").ifPresent(findings::add);
    }
    return List.copyOf(findings);
  }

  private static String shortened(String text) {
    int most = 200;
    return text.length() <= most ? text : text.substring(0, most) + "…";
  }

  private int partitions() {
    Set<String> partitions = new HashSet<>();
    keys.forEach(key -> partitions.add(key.partitionKey()));
    return partitions.size();
  }

  private Load load() {
    InsertEnds ends = new InsertEnds();
    PartitionCounts counts = new PartitionCounts(keys.size());
    int period = keys.size() / PERIODS;
    for (int i = 0; i < keys.size(); i++) {
      if (i % period == 0) {
        ends.startPeriod();
      }
      ends.add(keys.get(i).partitionKey(), 1);
      counts.add(keys.get(i).partitionKey(), 1);
    }
    double seconds = insertsPerSecond == 0 ? 0 : keys.size() / insertsPerSecond;
    return new Load(
        seconds,
        keys.size(),
        ends.take(),
        ends.first(),
        ends.last(),
        keys.size(),
        counts.partitions(),
        counts.largest(),
        List.of());
  }
}
