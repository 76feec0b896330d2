package io.lazuli.server.load.rule;

import io.lazuli.server.load.count.SpaceName;
import io.lazuli.server.load.fact.SpaceLoad;
import io.lazuli.server.load.fact.TableEnds;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;

/**
 * The last complete minutes of one space, as rules see them.
 *
 * @param minutes those with load; a minute without any is missing
 * @param allMicros the server's time for all requests in the same minutes
 * @param ease the factor by which bounds are lowered: 1 to open a diagnosis, less to keep it open
 * @param openFor how long a diagnosis of this space and kind has been open
 */
record SpaceWindow(
    SpaceName name,
    List<SpaceLoad> minutes,
    long allMicros,
    double ease,
    Instant now,
    Targets targets,
    TableEnds tables,
    OpenTimes openFor) {
  /** The minutes of a window, and those in which a rule must hold. */
  static final int MINUTES = 5;

  static final int MINUTES_NEEDED = 3;
  static final int SECONDS = 60;

  /** Tells how long a diagnosis has been open. */
  @FunctionalInterface
  interface OpenTimes {
    Duration of(Kind kind, SpaceName space);
  }

  long sum(int place) {
    return minutes.stream().mapToLong(minute -> minute.count(place)).sum();
  }

  long requests() {
    return minutes.stream().mapToLong(SpaceLoad::requests).sum();
  }

  /** Returns whether something holds in enough of the minutes. */
  boolean holds(Predicate<SpaceLoad> rule) {
    return minutes.stream().filter(rule).count() >= MINUTES_NEEDED;
  }

  /** Returns the last minute, whose figures are shown. */
  SpaceLoad last() {
    return minutes.get(minutes.size() - 1);
  }

  /** Returns the level of a rate compared with the target of a partition. */
  Level byTarget(double perSecond, boolean refused) {
    if (refused && targets.partitionSet()) {
      return Level.FAILING;
    }
    return perSecond >= targets.partition() * 0.25 ? Level.WARNING : Level.ADVICE;
  }

  /** Returns the level of something that takes this much of the server's time. */
  Level byTime(long micros) {
    return allMicros > 0 && micros > allMicros * 0.25 ? Level.WARNING : Level.ADVICE;
  }

  boolean isTable() {
    return name.service().equals("table") && !name.isRest();
  }

  boolean isQueue() {
    return name.service().equals("queue") && !name.isRest();
  }
}
