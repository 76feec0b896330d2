package io.lazuli.client.pattern.keydesign;

import io.lazuli.client.pattern.keydesign.Finding.Level;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The recent load of one table, minute by minute. Its memory is bounded whatever the number of
 * partitions and requests. Mutable; the owner synchronises.
 */
final class WatchedTable {
  private static final int WINDOW_MINUTES = 5;
  private static final int HOLDS_MIN = 3;
  private static final long WARNING_AFTER_MINUTES = 30;
  private static final int COUNTERS_MAX = 64;
  private static final int SHAPES_MAX = 16;
  private static final float LOAD_FACTOR = 0.75f;
  private static final int PARTITIONS_KNOWN_MAX = 8;
  private static final int REFUSED_MAX = 8;
  private static final int MINUTE_SECONDS = 60;

  private final InsertEnds ends = new InsertEnds();
  private final Set<String> known = new HashSet<>();
  private final Deque<Minute> window = new ArrayDeque<>();
  private final Map<String, FanOutBursts> shapes =
      new LinkedHashMap<>(SHAPES_MAX, LOAD_FACTOR, true);
  private PartitionCounts counts = new PartitionCounts(COUNTERS_MAX);
  private final Set<String> refused = new HashSet<>();
  private long inserts;
  private long minute = -1;
  private long heldSince = -1;

  /** A complete minute: the finding in it, and how often the ends moved. */
  private record Minute(Optional<Finding> finding, int lastMoved, int firstMoved) {}

  /**
   * Adds a request.
   *
   * @param weight the number of requests for which this one stands
   */
  void add(SeenRequest request, long weight, long second) {
    turnTo(second / MINUTE_SECONDS);
    for (String partition : request.partitions()) {
      counts.add(partition, request.entities() * weight);
      if (known.size() < PARTITIONS_KNOWN_MAX) {
        known.add(partition);
      }
      if (request.inserts() > 0) {
        ends.add(partition, request.inserts() * weight);
      }
    }
    inserts += request.inserts() * weight;
    if (request.shape() != null) {
      bursts(request.shape()).add(request.partitions(), second);
    }
  }

  /** Returns the bursts of a shape; the one that was not seen for the longest time makes room. */
  private FanOutBursts bursts(String shape) {
    if (!shapes.containsKey(shape) && shapes.size() == SHAPES_MAX) {
      shapes.remove(shapes.keySet().iterator().next());
    }
    return shapes.computeIfAbsent(shape, FanOutBursts::new);
  }

  void addRefusal(SeenRequest request, long second) {
    turnTo(second / MINUTE_SECONDS);
    if (refused.size() < REFUSED_MAX) {
      refused.addAll(request.partitions());
    }
  }

  /** Completes the current minute if it is over. */
  private void turnTo(long now) {
    if (now <= minute) {
      return;
    }
    if (minute >= 0) {
      complete(minute);
      long skipped = Math.min(WINDOW_MINUTES, now - minute - 1);
      for (int i = 0; i < skipped; i++) {
        push(new Minute(Optional.empty(), 0, 0), minute);
      }
    }
    minute = now;
    ends.startPeriod();
    counts = new PartitionCounts(COUNTERS_MAX);
    refused.clear();
    inserts = 0;
  }

  private void complete(long finished) {
    InsertEnds.Counts taken = ends.take();
    int lastMoved = taken.lastMoved() + window.stream().mapToInt(Minute::lastMoved).sum();
    int firstMoved = taken.firstMoved() + window.stream().mapToInt(Minute::firstMoved).sum();
    Load load =
        new Load(
            MINUTE_SECONDS,
            inserts,
            new InsertEnds.Counts(
                taken.inserts(), taken.atLast(), taken.atFirst(), lastMoved, firstMoved),
            ends.first(),
            ends.last(),
            counts.total(),
            Math.max(counts.partitions(), known.size()),
            counts.largest(),
            List.copyOf(refused));
    push(new Minute(Rules.judge(load), taken.lastMoved(), taken.firstMoved()), finished);
  }

  private void push(Minute complete, long finished) {
    window.addLast(complete);
    if (window.size() > WINDOW_MINUTES) {
      window.removeFirst();
    }
    if (latest().isEmpty()) {
      heldSince = -1;
    } else if (heldSince < 0) {
      heldSince = finished;
    }
  }

  /** Returns the latest finding if the same diagnosis holds in three of the last five minutes. */
  private Optional<Finding> latest() {
    Optional<Finding> latest = Optional.empty();
    for (Minute one : window) {
      latest = one.finding().isPresent() ? one.finding() : latest;
    }
    return latest.filter(finding -> times(finding.diagnosis()) >= HOLDS_MIN);
  }

  private long times(Diagnosis diagnosis) {
    return window.stream()
        .flatMap(one -> one.finding().stream())
        .filter(finding -> finding.diagnosis() == diagnosis)
        .count();
  }

  List<Finding> findings(long second) {
    turnTo(second / MINUTE_SECONDS);
    List<Finding> findings = new ArrayList<>();
    latest().map(this::withDuration).ifPresent(findings::add);
    shapes.values().forEach(bursts -> bursts.finding(second).ifPresent(findings::add));
    return findings;
  }

  private Finding withDuration(Finding finding) {
    boolean isLasting =
        finding.diagnosis() != Diagnosis.HOT_PARTITION
            && minute - heldSince >= WARNING_AFTER_MINUTES;
    return isLasting && finding.level() == Level.ADVICE
        ? new Finding(
            finding.diagnosis(),
            Level.WARNING,
            finding.fact(),
            finding.evidence(),
            finding.remedy())
        : finding;
  }
}
