package io.lazuli.client.pattern.spread;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.zip.CRC32;

/** Spreads a partition over buckets, each of which is a partition. Immutable and thread-safe. */
public final class KeySpreader {
  private static final int BUCKETS_MAX = 100;

  /** The current and earlier numbers of buckets, the newest first. */
  private final List<Integer> counts;

  private KeySpreader(List<Integer> counts) {
    this.counts = counts;
  }

  /**
   * Returns a spreader for a number of buckets.
   *
   * @param buckets 2 to 100; about as many as there are servers to share the load, because each
   *     query reads all of them
   */
  public static KeySpreader of(int buckets) {
    if (buckets < 2 || buckets > BUCKETS_MAX) {
      throw new IllegalArgumentException("the number of buckets must be 2 to 100, not " + buckets);
    }
    return new KeySpreader(List.of(buckets));
  }

  /**
   * Returns a spreader with more buckets from now on. The package documentation has the rules for
   * this.
   *
   * @throws IllegalArgumentException if the number is not greater
   */
  public KeySpreader grownTo(int buckets) {
    if (buckets <= counts.get(0) || buckets > BUCKETS_MAX) {
      throw new IllegalArgumentException(
          "the number of buckets must be more than "
              + counts.get(0)
              + " and at most 100, not "
              + buckets);
    }
    List<Integer> grown = new ArrayList<>(List.of(buckets));
    grown.addAll(counts);
    return new KeySpreader(Collections.unmodifiableList(grown));
  }

  /**
   * Returns the partition key for a new entity.
   *
   * @param partition the partition key that the entity would have without buckets
   * @param id determines the bucket; it differs from entity to entity
   */
  public String partitionKey(String partition, String id) {
    return partitionKey(partition, bucket(id, counts.get(0)));
  }

  /**
   * Returns the partition keys under which an entity may be stored: for the current number of
   * buckets, then for earlier numbers.
   */
  public Set<String> candidates(String partition, String id) {
    Set<String> keys = new LinkedHashSet<>();
    counts.forEach(count -> keys.add(partitionKey(partition, bucket(id, count))));
    return Collections.unmodifiableSet(keys);
  }

  /** Returns all partition keys over which a partition is spread, in order. */
  public List<String> partitionKeys(String partition) {
    return IntStream.range(0, counts.get(0))
        .mapToObj(bucket -> partitionKey(partition, bucket))
        .toList();
  }

  private static String partitionKey(String partition, int bucket) {
    return String.format(Locale.ROOT, "%02d_%s", bucket, partition);
  }

  private static int bucket(String id, int count) {
    CRC32 hash = new CRC32();
    hash.update(id.getBytes(StandardCharsets.UTF_8));
    return (int) (hash.getValue() % count);
  }
}
