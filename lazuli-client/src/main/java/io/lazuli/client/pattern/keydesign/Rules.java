package io.lazuli.client.pattern.keydesign;

import io.lazuli.client.pattern.keydesign.Finding.Figure;
import io.lazuli.client.pattern.keydesign.Finding.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The rules that turn load into findings. {@code docs/patterns/keydesign.md} lists the bounds. A
 * share counts with the lower end of its 95 % interval, so that few samples prove little.
 */
final class Rules {
  /** The number of requests below which nothing is diagnosed. */
  static final int REQUESTS_MIN = 200;

  /** The number of partitions from which on a query is a wide fan-out. */
  static final int FAN_OUT_MIN = 50;

  /** The number of bursts or runs within five minutes from which on a fan-out counts. */
  static final int BURSTS_MIN = 10;

  private static final double END_SHARE_MIN = 0.9;
  private static final double INSERTS_PER_SECOND_MIN = 20;
  private static final double HOT_SHARE_MIN = 0.5;
  private static final int HOT_FACTOR_MIN = 5;
  private static final double REQUESTS_PER_SECOND_MIN = 50;
  private static final int PARTITIONS_MIN = 8;
  private static final int MOVES_MIN = 2;

  /** Azure's target for one partition. */
  private static final double PARTITION_TARGET = 2_000;

  private static final double WARNING_FROM = PARTITION_TARGET / 4;
  private static final int BUCKETS_MIN = 8;
  private static final int BUCKETS_MAX = 100;
  private static final double DEVIATIONS = 1.96;
  private static final int PERCENT = 100;

  private Rules() {}

  /** Returns the finding about inserts and partitions; the end of a table has priority. */
  static Optional<Finding> judge(Load load) {
    return end(load).or(() -> hotPartition(load));
  }

  private static Optional<Finding> end(Load load) {
    InsertEnds.Counts ends = load.ends();
    if (load.isTimed() && load.insertsPerSecond() < INSERTS_PER_SECOND_MIN) {
      return Optional.empty();
    }
    if (isAtEnd(load, ends.atLast(), ends.lastMoved())) {
      return Optional.of(
          atEnd(load, Diagnosis.APPEND, "last", load.last(), ends.atLast(), ends.lastMoved()));
    }
    return isAtEnd(load, ends.atFirst(), ends.firstMoved())
        ? Optional.of(
            atEnd(
                load, Diagnosis.PREPEND, "first", load.first(), ends.atFirst(), ends.firstMoved()))
        : Optional.empty();
  }

  /** In a table with few partitions, the last one is nothing special unless the end moves. */
  private static boolean isAtEnd(Load load, long atEnd, int moved) {
    return shareAtLeast(atEnd, load.ends().inserts()) >= END_SHARE_MIN
        && (load.partitions() >= PARTITIONS_MIN || moved >= MOVES_MIN);
  }

  private static Finding atEnd(
      Load load, Diagnosis diagnosis, String end, String partition, long inserts, int moved) {
    String share = percent(inserts, load.ends().inserts());
    String all =
        load.isTimed() ? number(load.insertsPerSecond()) + " inserts/s" : "the sampled inserts";
    List<Figure> evidence = new ArrayList<>();
    evidence.add(new Figure("share of inserts", share, "from 90 %"));
    evidence.add(new Figure("the end moved", moved + " times", "from 2, or 8 partitions"));
    evidence.add(new Figure(end + " partition", partition, ""));
    double rate = load.isTimed() ? load.insertsPerSecond() * inserts / load.ends().inserts() : 0;
    addRate(evidence, load, rate);
    return new Finding(
        diagnosis,
        level(!load.refused().isEmpty(), rate),
        "%s of %s go to the %s partition of the table.".formatted(share, all, end),
        evidence,
        diagnosis.remedy());
  }

  private static Optional<Finding> hotPartition(Load load) {
    PartitionCounts.Count hot = load.largest().get(0);
    PartitionCounts.Count second = load.largest().get(1);
    boolean isHot =
        shareAtLeast(hot.atLeast(), load.requests()) >= HOT_SHARE_MIN
            && hot.atLeast() >= HOT_FACTOR_MIN * second.atMost();
    double rate = load.isTimed() ? hot.atLeast() / load.seconds() : 0;
    boolean isBusy =
        !load.isTimed()
            || rate >= WARNING_FROM
            || (load.partitions() >= PARTITIONS_MIN
                && load.requestsPerSecond() >= REQUESTS_PER_SECOND_MIN);
    return isHot && isBusy ? Optional.of(hotPartition(load, hot, second, rate)) : Optional.empty();
  }

  private static Finding hotPartition(
      Load load, PartitionCounts.Count hot, PartitionCounts.Count second, double rate) {
    String share = percent(hot.atLeast(), load.requests());
    List<Figure> evidence = new ArrayList<>();
    evidence.add(new Figure("share of requests", share, "from 50 %"));
    evidence.add(
        new Figure("second partition", percent(second.atMost(), load.requests()), "up to a fifth"));
    addRate(evidence, load, rate);
    long buckets =
        Math.min(BUCKETS_MAX, Math.max(BUCKETS_MIN, (long) Math.ceil(rate / WARNING_FROM)));
    return new Finding(
        Diagnosis.HOT_PARTITION,
        level(load.refused().contains(hot.partition()), rate),
        "%s of the table's requests go to one of %d partitions."
            .formatted(share, load.partitions()),
        evidence,
        Diagnosis.HOT_PARTITION
            .remedy()
            .replace("{partition}", hot.partition())
            .replace("{buckets}", String.valueOf(buckets)));
  }

  /** Returns the finding about a query; empty if it touches few partitions. */
  static Optional<Finding> fanOut(String query, long partitions, String often) {
    if (partitions < FAN_OUT_MIN) {
      return Optional.empty();
    }
    String number = number((double) partitions);
    List<Figure> evidence = List.of(new Figure("partitions at once", number, "from 50"));
    return Optional.of(
        new Finding(
            Diagnosis.FAN_OUT,
            Level.ADVICE,
            "%s asks %s partitions at once%s.".formatted(query, number, often),
            evidence,
            Diagnosis.FAN_OUT.remedy()));
  }

  private static void addRate(List<Figure> evidence, Load load, double rate) {
    if (load.isTimed()) {
      evidence.add(new Figure("rate of that partition", number(rate) + "/s", "target 2,000/s"));
    } else {
      evidence.add(new Figure("a partition can take", "2,000 entities/s", ""));
    }
  }

  private static Level level(boolean isRefused, double rate) {
    if (isRefused) {
      return Level.FAILING;
    }
    return rate >= WARNING_FROM ? Level.WARNING : Level.ADVICE;
  }

  /** Returns the lower end of the 95 % interval of a share (Wilson). */
  static double shareAtLeast(long part, long all) {
    if (all == 0) {
      return 0;
    }
    double share = (double) part / all;
    double squared = DEVIATIONS * DEVIATIONS;
    double spread = Math.sqrt(share * (1 - share) / all + squared / (4.0 * all * all));
    return (share + squared / (2.0 * all) - DEVIATIONS * spread) / (1 + squared / all);
  }

  private static String percent(long part, long all) {
    return Math.round((double) PERCENT * part / Math.max(1, all)) + " %";
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%,d", Math.round(value));
  }
}
