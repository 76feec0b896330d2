package io.lazuli.server.load.rule;

import io.lazuli.server.load.count.SpaceName;
import io.lazuli.server.load.count.Tally;
import io.lazuli.server.load.fact.Facts;
import io.lazuli.server.load.fact.SpaceLoad;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rules about the requests of a whole account. */
final class AccountRules {
  private static final long REFUSED_MIN = 20;
  private static final double REFUSED_SHARE = 0.01;
  private static final double FAILING_SHARE = 0.1;

  private AccountRules() {}

  /** Adds the minute of all spaces of an account. */
  static SpaceLoad sum(String account, Map<SpaceName, SpaceLoad> spaces) {
    long[] counts = new long[Tally.SPACE_SIZE];
    long[] range = new long[Tally.RANGE_SIZE];
    for (SpaceLoad space : spaces.values()) {
      if (space.name().account().equals(account)) {
        for (int i = 0; i < counts.length; i++) {
          counts[i] += space.counts()[i];
        }
        range[Tally.READS] += space.requests();
      }
    }
    return new SpaceLoad(
        new SpaceName(account, "account", ""),
        counts,
        List.of(""),
        new long[][] {range},
        Facts.NONE);
  }

  /** Finds an account whose requests are refused because of a rate target. */
  static @Nullable Symptom throttled(SpaceWindow window, List<SpaceLoad> lastMinute) {
    Targets targets = window.targets();
    long refused = window.sum(Tally.BUSY);
    long all = window.requests();
    if (!targets.accountSet() && !targets.partitionSet()) {
      return null;
    }
    if (refused < REFUSED_MIN
        || !window.holds(
            minute ->
                minute.count(Tally.BUSY) >= 1
                    && minute.count(Tally.BUSY)
                        >= minute.requests() * REFUSED_SHARE * window.ease())) {
      return null;
    }
    double share = (double) refused / Math.max(1, all);
    List<Evidence> evidence = new ArrayList<>();
    evidence.add(
        new Evidence("answered 503", Figures.percent(share), Figures.percent(REFUSED_SHARE)));
    evidence.add(
        new Evidence(
            "requests per second",
            Figures.number(PatternRules.perSecond(window.last().requests())),
            targets.accountSet() ? "--account-rate " + targets.account() : ""));
    if (targets.partitionSet()) {
      evidence.add(new Evidence("target of a partition", targets.partitionText(), ""));
    }
    lastMinute.stream()
        .filter(space -> space.name().account().equals(window.name().account()))
        .max((a, b) -> Long.compare(a.requests(), b.requests()))
        .ifPresent(
            busiest ->
                evidence.add(
                    new Evidence(
                        "the busiest of its tables, queues and containers",
                        busiest.name().isRest() ? "not known" : busiest.name().name(),
                        "")));
    return new Symptom(
        Kind.THROTTLED,
        window.name(),
        "",
        share >= FAILING_SHARE ? Level.FAILING : Level.WARNING,
        (double) refused,
        "%s of the requests were answered 503: they are over a rate target."
            .formatted(Figures.percent(share)),
        evidence);
  }
}
