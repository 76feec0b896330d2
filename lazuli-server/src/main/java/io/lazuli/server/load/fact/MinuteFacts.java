package io.lazuli.server.load.fact;

import io.lazuli.server.load.count.Generation.Counted;
import io.lazuli.server.load.count.Sample;
import io.lazuli.server.load.count.SpaceName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Collects what the samples of one minute say. Belongs to one thread. */
public final class MinuteFacts {
  /** The tables whose ends are looked up in one second. */
  private static final int LOOKS_MAX = 4;

  /** A table with fewer inserts in a second is not looked at. */
  private static final long INSERTS_MIN = 10;

  /** The partitions of a burst, and the time and share of requests that make it one. */
  public static final int BURST_PARTITIONS = 50;

  private static final long BURST_MILLIS = 300;
  private static final double BURST_SHARE = 0.7;

  /** A client that asks all the time has no bursts: before one, it asks for nothing for a while. */
  private static final long QUIET_MILLIS = 2_000;

  /** The partitions that a client asks in rounds, and the rounds in a second. */
  private static final int ROUND_PARTITIONS = 20;

  private static final int ROUNDS_MIN = 2;

  private static final int ASKERS_MAX = 1_024;

  private final TableEnds tables;
  private final Map<SpaceName, SpaceFacts> spaces = new HashMap<>();
  private final Map<Asker, Long> lastAsked = new HashMap<>();

  public MinuteFacts(TableEnds tables) {
    this.tables = tables;
  }

  /** Adds the samples of about one second. May block to look up the ends of tables. */
  public void add(List<Sample> samples) {
    for (Sample sample : samples) {
      spaces.computeIfAbsent(sample.space().name(), missing -> new SpaceFacts()).add(sample);
    }
    addBursts(samples);
    int looks = 0;
    for (Map.Entry<SpaceName, SpaceFacts> entry : spaces.entrySet()) {
      SpaceFacts facts = entry.getValue();
      if (facts.takeInserts() >= INSERTS_MIN
          && facts.needsEnds()
          && entry.getKey().service().equals("table")
          && looks < LOOKS_MAX) {
        looks++;
        TableEnds.Ends found = tables.find(entry.getKey());
        if (found != null) {
          facts.ends(found);
        }
      }
    }
  }

  private record Asker(SpaceName space, String caller, String kind) {}

  private void addBursts(List<Sample> samples) {
    Map<Asker, List<Sample>> byAsker = new HashMap<>();
    for (Sample sample : samples) {
      if (sample.operations().isRead() && sample.space().name().service().equals("table")) {
        String plan = sample.event().planKind();
        Asker asker =
            new Asker(sample.space().name(), sample.peer(), plan.isEmpty() ? "point" : plan);
        byAsker.computeIfAbsent(asker, missing -> new ArrayList<>()).add(sample);
      }
    }
    byAsker.forEach(this::addBurst);
    if (lastAsked.size() > ASKERS_MAX) {
      lastAsked.clear();
    }
  }

  private void addBurst(Asker asker, List<Sample> asked) {
    long first = asked.stream().mapToLong(Sample::millis).min().orElse(0);
    long last = asked.stream().mapToLong(Sample::millis).max().orElse(0);
    Long before = lastAsked.put(asker, last);
    SpaceFacts facts = spaces.get(asker.space);
    if (asked.size() < ROUND_PARTITIONS || facts == null) {
      return;
    }
    Map<String, Integer> times = new HashMap<>();
    asked.forEach(sample -> times.merge(sample.keys().partition(), 1, Integer::sum));
    boolean wasQuiet = before == null || first - before >= QUIET_MILLIS;
    if ((times.size() >= BURST_PARTITIONS && wasQuiet && isBurst(asked))
        || (times.size() >= ROUND_PARTITIONS && isRounds(asked.size(), times))) {
      facts.addBurst(asker.caller, asker.kind, times.size());
    }
  }

  /**
   * Returns whether a client asks the same partitions in turn. It then asks all of them equally
   * often, except for the rounds at the ends of the second. Requests that have nothing to do with
   * each other never do.
   */
  private static boolean isRounds(int requests, Map<String, Integer> times) {
    return requests >= ROUNDS_MIN * times.size()
        && Collections.max(times.values()) - Collections.min(times.values()) <= 1;
  }

  /** Returns whether most of the requests ended at about the same time. */
  private static boolean isBurst(List<Sample> asked) {
    long[] times = asked.stream().mapToLong(Sample::millis).sorted().toArray();
    int first = 0;
    int most = 0;
    for (int i = 0; i < times.length; i++) {
      while (times[i] - times[first] > BURST_MILLIS) {
        first++;
      }
      most = Math.max(most, i - first + 1);
    }
    return most >= times.length * BURST_SHARE;
  }

  /** Joins the facts with the counts of the minute. */
  public List<SpaceLoad> with(List<Counted> counted) {
    return counted.stream()
        .map(
            one -> {
              SpaceFacts facts = spaces.get(one.ranges().name());
              return new SpaceLoad(
                  one.ranges().name(),
                  one.counts(),
                  one.ranges().bounds(),
                  Arrays.copyOf(one.byRange(), one.byRange().length),
                  facts == null ? Facts.NONE : facts.found());
            })
        .toList();
  }
}
