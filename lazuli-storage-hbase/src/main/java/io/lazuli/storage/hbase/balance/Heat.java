package io.lazuli.storage.hbase.balance;

import io.lazuli.storage.Bytes;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The distribution of the requests to a table over its partitions, estimated from samples.
 * Immutable.
 *
 * @param shares the requests to each partition, by the first key of the partition
 */
public record Heat(NavigableMap<Bytes, Share> shares) {
  public static final Heat NONE = new Heat(new TreeMap<>());

  public Heat {
    shares = Collections.unmodifiableNavigableMap(shares);
  }

  /**
   * The requests to one partition.
   *
   * @param samples the number of samples that the estimate is based on
   * @param rate requests per second
   */
  public record Share(int samples, double rate) {
    Share plus(Share other) {
      return new Share(samples + other.samples, rate + other.rate);
    }
  }

  /** Returns the sum of the heats of several servers at the same time, or of parts of a table. */
  public static Heat sum(Collection<Heat> heats) {
    NavigableMap<Bytes, Share> sum = new TreeMap<>();
    for (Heat heat : heats) {
      heat.shares.forEach((key, share) -> sum.merge(key, share, Share::plus));
    }
    return new Heat(sum);
  }

  /** Returns the mean over rounds of the same length. */
  public static Heat mean(Collection<Heat> rounds) {
    NavigableMap<Bytes, Share> mean = new TreeMap<>(sum(rounds).shares);
    mean.replaceAll((key, share) -> new Share(share.samples, share.rate / rounds.size()));
    return new Heat(mean);
  }

  /** Returns the heat of a range. An empty key is an open end. */
  Heat within(Bytes from, Bytes to) {
    return new Heat(
        to.length() == 0 ? shares.tailMap(from, true) : shares.subMap(from, true, to, false));
  }

  int samples() {
    return shares.values().stream().mapToInt(Share::samples).sum();
  }

  double rate() {
    return shares.values().stream().mapToDouble(Share::rate).sum();
  }

  /** Returns the partitions with the highest rates, the hottest first. */
  public List<Map.Entry<Bytes, Share>> hottest(int count) {
    return shares.entrySet().stream()
        .sorted(Comparator.comparingDouble(entry -> -entry.getValue().rate))
        .limit(count)
        .toList();
  }

  /**
   * Returns the first key of a partition, chosen so that the load before it is nearest to one half.
   *
   * @return null if there are fewer than two partitions
   */
  @Nullable Bytes median() {
    double half = rate() / 2;
    double before = 0;
    double nearest = Double.MAX_VALUE;
    Bytes median = null;
    for (Map.Entry<Bytes, Share> entry : shares.entrySet()) {
      if (before > 0 && Math.abs(before - half) < nearest) {
        nearest = Math.abs(before - half);
        median = entry.getKey();
      }
      before += entry.getValue().rate;
    }
    return median;
  }

  /** Returns the part of the load that lies before a key. */
  double partBefore(Bytes key) {
    return new Heat(shares.headMap(key, false)).rate() / rate();
  }
}
