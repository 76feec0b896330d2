package io.lazuli.server.load.rule;

import io.lazuli.server.load.count.OperationClass;
import io.lazuli.server.load.count.Tally;
import io.lazuli.server.load.fact.BatchTargets;
import io.lazuli.server.load.fact.Facts;
import io.lazuli.server.load.fact.HotEntity;
import io.lazuli.server.load.fact.HotPartition;
import io.lazuli.server.load.fact.InsertEnds;
import io.lazuli.server.load.fact.SpaceLoad;
import io.lazuli.server.load.fact.TableEnds;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rules about where in a table the load is. */
final class PatternRules {
  private static final double INSERTS_PER_SECOND = 20;
  private static final double END_SHARE = 0.9;
  private static final int END_MOVES = 2;
  private static final Duration LONG = Duration.ofMinutes(30);

  private static final double TABLE_PER_SECOND = 50;
  private static final double PARTITION_SHARE = 0.5;
  private static final double TIMES_THE_SECOND = 5;
  private static final int MANY_PARTITIONS = 8;

  private static final double ENTITY_PER_SECOND = 50;
  private static final double ENTITY_SHARE = 0.3;
  private static final double WRITES_PER_SECOND = 10;
  private static final double CONFLICT_SHARE = 0.2;
  private static final double MOST_OF_PARTITION = 0.8;

  private static final double BATCHES_PER_SECOND = 20;

  /** Two entities that must change together are a good reason for a transaction. */
  private static final double BATCH_OPERATIONS = 1.5;

  private static final double BATCH_CHANGES = 0.8;
  private static final long REQUESTS_MIN = 200;

  private PatternRules() {}

  /** Finds inserts at one end of a table (A1). */
  static @Nullable Symptom ends(SpaceWindow window) {
    if (!window.isTable() || window.sum(Tally.INSERTS) < REQUESTS_MIN) {
      return null;
    }
    Symptom append = end(window, Kind.APPEND);
    return append == null ? end(window, Kind.PREPEND) : append;
  }

  private static @Nullable Symptom end(SpaceWindow window, Kind kind) {
    double ease = window.ease();
    int moved = window.minutes().stream().mapToInt(one -> one.facts().ends().moved()).sum();
    boolean holds =
        window.holds(
            minute ->
                perSecond(minute.count(Tally.INSERTS)) >= INSERTS_PER_SECOND * ease
                    && endShare(minute, kind) >= END_SHARE * ease
                    && topEntityShare(minute.facts()) < ENTITY_SHARE);
    boolean isLarge =
        window.minutes().stream().anyMatch(one -> one.facts().ends().hasMany())
            || moved >= END_MOVES;
    if (!holds || !isLarge) {
      return null;
    }
    SpaceLoad minute = lastJudged(window);
    InsertEnds ends = minute.facts().ends();
    String partition = kind == Kind.APPEND ? ends.last() : ends.first();
    double rate = perSecond(minute.count(Tally.INSERTS));
    double share = endShare(minute, kind);
    boolean refused = window.minutes().stream().anyMatch(one -> one.count(Tally.BUSY) > 0);
    Level level = window.byTarget(rate * share, refused);
    if (window.openFor().of(kind, window.name()).compareTo(LONG) >= 0) {
      level = level.orWorse(Level.WARNING);
    }
    String side = kind == Kind.APPEND ? "last" : "first";
    return new Symptom(
        kind,
        window.name(),
        partition,
        level,
        rate * share,
        "%s of %s inserts/s go to the %s partition of the table."
            .formatted(Figures.percent(share), Figures.number(rate), side),
        List.of(
            new Evidence(
                "inserts in the " + side + " partition",
                Figures.percent(share),
                Figures.percent(END_SHARE)),
            new Evidence(
                "inserts per second", Figures.number(rate), Figures.number(INSERTS_PER_SECOND)),
            new Evidence("how often the end moved in five minutes", Integer.toString(moved), ""),
            new Evidence("the " + side + " partition", partition, ""),
            new Evidence(
                "share of " + window.targets().partitionText(),
                Figures.percent(rate * share / window.targets().partition()),
                "25 %")));
  }

  private static SpaceLoad lastJudged(SpaceWindow window) {
    SpaceLoad found = window.last();
    for (SpaceLoad minute : window.minutes()) {
      found = minute.facts().ends().judged() > 0 ? minute : found;
    }
    return found;
  }

  private static double endShare(SpaceLoad minute, Kind kind) {
    InsertEnds ends = minute.facts().ends();
    long hits = kind == Kind.APPEND ? ends.atLast() : ends.atFirst();
    return Figures.atLeast(hits, ends.judged());
  }

  private static double topEntityShare(Facts facts) {
    return facts.entities().isEmpty() || facts.sampled() == 0
        ? 0
        : (double) (facts.entities().get(0).requests() - facts.entities().get(0).error())
            / facts.sampled();
  }

  /** Finds a partition that has most of the requests of its table. */
  static @Nullable Symptom hotPartition(SpaceWindow window) {
    double ease = window.ease();
    if (!window.isTable()
        || window.requests() < REQUESTS_MIN
        || !window.holds(minute -> isHot(minute, ease))) {
      return null;
    }
    Facts facts = window.last().facts();
    if (facts.partitions().isEmpty()) {
      return null;
    }
    HotPartition first = facts.partitions().get(0);
    double all = perSecond(window.last().requests());
    double share = share(first, facts);
    double rate = all * share;
    boolean nearTarget = rate >= window.targets().partition() * 0.25;
    if (facts.distinct() < MANY_PARTITIONS && !nearTarget) {
      TableEnds.Ends ends = window.tables().find(window.name());
      if (ends == null || !ends.hasMany()) {
        return null;
      }
    }
    double second =
        facts.partitions().size() > 1 ? all * share(facts.partitions().get(1), facts) : 0;
    return new Symptom(
        Kind.HOT_PARTITION,
        window.name(),
        first.key(),
        window.byTarget(rate, first.busy() > 0),
        rate,
        "%s of the table's %s requests/s go to one partition."
            .formatted(Figures.percent(share), Figures.number(all)),
        List.of(
            new Evidence("the partition", first.key(), ""),
            new Evidence(
                "its share of the requests",
                Figures.percent(share),
                Figures.percent(PARTITION_SHARE)),
            new Evidence("its requests per second", Figures.number(rate), ""),
            new Evidence("those of the second busiest", Figures.number(second), ""),
            new Evidence(
                "share of " + window.targets().partitionText(),
                Figures.percent(rate / window.targets().partition()),
                "25 %")));
  }

  private static boolean isHot(SpaceLoad minute, double ease) {
    Facts facts = minute.facts();
    if (facts.partitions().isEmpty() || perSecond(minute.requests()) < TABLE_PER_SECOND * ease) {
      return false;
    }
    HotPartition first = facts.partitions().get(0);
    long second = facts.partitions().size() > 1 ? facts.partitions().get(1).requests() : 0;
    double least = Figures.atLeast(first.requests() - first.error(), facts.sampled());
    return least >= PARTITION_SHARE * ease
        && first.requests() - first.error() >= TIMES_THE_SECOND * ease * second;
  }

  private static double share(HotPartition partition, Facts facts) {
    return facts.sampled() == 0 ? 0 : (double) partition.requests() / facts.sampled();
  }

  /** Finds an entity with many requests, or with writers that are in each other's way. */
  static @Nullable Symptom hotEntity(SpaceWindow window) {
    double ease = window.ease();
    if (!window.isTable() || window.requests() < REQUESTS_MIN) {
      return null;
    }
    if (window.holds(minute -> isContended(minute, ease))) {
      return contended(window);
    }
    if (!window.holds(minute -> isHotEntity(minute, ease))) {
      return null;
    }
    Facts facts = window.last().facts();
    if (facts.entities().isEmpty()) {
      return null;
    }
    HotEntity first = facts.entities().get(0);
    double rate = perSecond(first.requests());
    double share = (double) first.requests() / Math.max(1, facts.sampled());
    return new Symptom(
        Kind.HOT_ENTITY,
        window.name(),
        first.partition(),
        window.byTarget(rate, window.last().count(Tally.BUSY) > 0),
        rate,
        "%s requests/s, %s of the table, are for one entity."
            .formatted(Figures.number(rate), Figures.percent(share)),
        List.of(
            new Evidence("the entity", first.partition() + " / " + first.row(), ""),
            new Evidence(
                "its requests per second", Figures.number(rate), Figures.number(ENTITY_PER_SECOND)),
            new Evidence(
                "its share of the table", Figures.percent(share), Figures.percent(ENTITY_SHARE)),
            new Evidence(
                "reads and writes",
                Figures.number(first.requests() - first.writes())
                    + " : "
                    + Figures.number(first.writes()),
                ""),
            new Evidence("its size", Figures.bytes(first.bytes()), "")));
  }

  /** Returns whether the entity of a diagnosis has most of the requests of its partition. */
  static boolean isMostOfPartition(SpaceWindow window) {
    Facts facts = window.last().facts();
    if (facts.entities().isEmpty() || facts.partitions().isEmpty()) {
      return false;
    }
    HotEntity entity = facts.entities().get(0);
    return facts.partitions().stream()
        .filter(partition -> partition.key().equals(entity.partition()))
        .anyMatch(partition -> entity.requests() >= partition.requests() * MOST_OF_PARTITION);
  }

  private static boolean isHotEntity(SpaceLoad minute, double ease) {
    Facts facts = minute.facts();
    if (facts.entities().isEmpty()) {
      return false;
    }
    HotEntity first = facts.entities().get(0);
    long sure = first.requests() - first.error();
    return perSecond(sure) >= ENTITY_PER_SECOND * ease
        && Figures.atLeast(sure, facts.sampled()) >= ENTITY_SHARE * ease;
  }

  private static boolean isContended(SpaceLoad minute, double ease) {
    Facts facts = minute.facts();
    return facts.entities().stream()
        .anyMatch(
            entity ->
                perSecond(entity.writes()) >= WRITES_PER_SECOND * ease
                    && Figures.atLeast(entity.conflicts(), entity.writes())
                        >= CONFLICT_SHARE * ease);
  }

  private static @Nullable Symptom contended(SpaceWindow window) {
    HotEntity most = null;
    for (HotEntity entity : window.last().facts().entities()) {
      most = most == null || entity.conflicts() > most.conflicts() ? entity : most;
    }
    if (most == null || most.writes() == 0) {
      return null;
    }
    double share = (double) most.conflicts() / most.writes();
    return new Symptom(
        Kind.CONTENDED_ENTITY,
        window.name(),
        most.partition(),
        Level.WARNING,
        perSecond(most.conflicts()),
        "%s of the writes to one entity fail because somebody was faster."
            .formatted(Figures.percent(share)),
        List.of(
            new Evidence("the entity", most.partition() + " / " + most.row(), ""),
            new Evidence(
                "writes that fail", Figures.percent(share), Figures.percent(CONFLICT_SHARE)),
            new Evidence(
                "its writes per second",
                Figures.number(perSecond(most.writes())),
                Figures.number(WRITES_PER_SECOND))));
  }

  /** Finds transactions that are small and jump from partition to partition. */
  static @Nullable Symptom batches(SpaceWindow window) {
    double ease = window.ease();
    int place = Tally.of(OperationClass.BATCH);
    if (!window.isTable()
        || !window.holds(
            minute -> {
              long batches = minute.count(place);
              BatchTargets judged = minute.facts().batches();
              return perSecond(batches) >= BATCHES_PER_SECOND * ease
                  && minute.count(Tally.BATCH_OPERATIONS) <= batches * BATCH_OPERATIONS / ease
                  && Figures.atLeast(judged.changed(), judged.judged()) >= BATCH_CHANGES * ease;
            })) {
      return null;
    }
    SpaceLoad last = window.last();
    double rate = perSecond(last.count(place));
    double each = (double) last.count(Tally.BATCH_OPERATIONS) / Math.max(1, last.count(place));
    return new Symptom(
        Kind.BATCHES,
        window.name(),
        "",
        Level.ADVICE,
        rate,
        "%s transactions/s have %s operations on average."
            .formatted(Figures.number(rate), Figures.number(each)),
        List.of(
            new Evidence(
                "transactions per second",
                Figures.number(rate),
                Figures.number(BATCHES_PER_SECOND)),
            new Evidence(
                "operations of each", Figures.number(each), Figures.number(BATCH_OPERATIONS)),
            new Evidence(
                "requests per second that single writes would need",
                Figures.number(perSecond(last.count(Tally.BATCH_OPERATIONS))),
                "")));
  }

  static double perSecond(long count) {
    return (double) count / SpaceWindow.SECONDS;
  }
}
