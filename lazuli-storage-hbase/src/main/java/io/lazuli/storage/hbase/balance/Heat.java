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
 * How the requests to a table are spread over its partitions, estimated from samples. Immutable.
 *
 * @param shares by the first key of the partition
 */
public record Heat(NavigableMap<Bytes, Share> shares) {
  public static final Heat NONE = new Heat(new TreeMap<>());

  public Heat {
    shares = Collections.unmodifiableNavigableMap(shares);
  }

  /**
   * The requests to one partition.
   *
   * @param samples how many the estimate rests on
   * @param rate requests per second
   */
  public record Share(int samples, double rate) {
    Share plus(Share other) {
      return new Share(samples + other.samples, rate + other.rate);
    }
  }

  /** What several servers saw at the same time, or one table by parts. */
  public static Heat sum(Collection<Heat> heats) {
    NavigableMap<Bytes, Share> sum = new TreeMap<>();
    for (Heat heat : heats) {
      heat.shares.forEach((key, share) -> sum.merge(key, share, Share::plus));
    }
    return new Heat(sum);
  }

  /** What was seen in rounds of the same length. */
  public static Heat mean(Collection<Heat> rounds) {
    NavigableMap<Bytes, Share> mean = new TreeMap<>(sum(rounds).shares);
    mean.replaceAll((key, share) -> new Share(share.samples, share.rate / rounds.size()));
    return new Heat(mean);
  }

  /** The part of a range; an empty key is an open end. */
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

  /** The partitions with the highest rates, the hottest first. */
  public List<Map.Entry<Bytes, Share>> hottest(int count) {
    return shares.entrySet().stream()
        .sorted(Comparator.comparingDouble(entry -> -entry.getValue().rate))
        .limit(count)
        .toList();
  }

  /**
   * The first key of the partition before which nearest to half of the load lies.
   *
   * @return null if there are no two partitions to part
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

  /** What part of the load lies before a key. */
  double partBefore(Bytes key) {
    return new Heat(shares.headMap(key, false)).rate() / rate();
  }
}
