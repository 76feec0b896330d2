package io.lazuli.conformance.runner;

import io.lazuli.conformance.Area;
import io.lazuli.conformance.StorageService;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The results of a run against one endpoint.
 *
 * @param label the name of the tested service, such as {@code Azurite 3.37.0}
 * @param note how the service was set up, or empty
 */
record Report(
    String label,
    String note,
    String endpoint,
    LocalDate date,
    long seconds,
    List<CaseResult> cases) {

  Report {
    cases = List.copyOf(cases);
  }

  /** The number of cases by outcome. */
  record Score(long passed, long failed, long notApplicable) {

    static final Score NONE = new Score(0, 0, 0);

    Score plus(Outcome outcome) {
      return switch (outcome) {
        case PASSED -> new Score(passed + 1, failed, notApplicable);
        case FAILED -> new Score(passed, failed + 1, notApplicable);
        case NOT_APPLICABLE -> new Score(passed, failed, notApplicable + 1);
      };
    }

    /**
     * Returns the share of passed cases among those that ran, rounded down: 100 means that all
     * passed.
     */
    String percent() {
      long tried = passed + failed;
      return tried == 0 ? "–" : passed * 100 / tried + " %";
    }
  }

  Score total() {
    return score(cases);
  }

  /** Returns the scores by service and area, in the order of their declaration. */
  Map<StorageService, Map<Area, Score>> scores() {
    Map<StorageService, Map<Area, Score>> scores = new TreeMap<>();
    for (CaseResult one : cases) {
      scores
          .computeIfAbsent(one.marks().service(), service -> new TreeMap<>())
          .merge(
              one.marks().area(),
              Score.NONE.plus(one.outcome()),
              (score, ignored) -> score.plus(one.outcome()));
    }
    return scores;
  }

  Score score(StorageService service) {
    return score(of(service));
  }

  /** Returns the score without the cases whose outcome the reference leaves open. */
  Score scoreByReference(StorageService service) {
    return score(of(service).stream().filter(one -> !one.marks().isOwnChoice()).toList());
  }

  private List<CaseResult> of(StorageService service) {
    return cases.stream().filter(one -> one.marks().service() == service).toList();
  }

  List<CaseResult> with(Outcome outcome) {
    return cases.stream().filter(one -> one.outcome() == outcome).toList();
  }

  private static Score score(List<CaseResult> cases) {
    Score score = Score.NONE;
    for (CaseResult one : cases) {
      score = score.plus(one.outcome());
    }
    return score;
  }
}
