package io.lazuli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.platform.engine.DiscoverySelector;

/**
 * The tests of this module pass on a server with {@code --rehearse all}: it loses responses, cuts
 * pages, and answers 503 and 500. {@code -Drehearsal.seed=N} chooses the requests that meet them.
 */
@Isolated(SuiteRun.WHY_ISOLATED)
class RehearsedSuiteIT {
  private static final List<String> EXCLUDED = List.of("long", NotRehearsed.TAG);

  private static final String INDEXED = "io.lazuli.client.pattern.index.IndexedTableFaultTest";
  private static final String OUTBOX = "io.lazuli.client.pattern.outbox.OutboxFaultTest";

  /** A test may be aborted by lost responses in some runs, but not in all. */
  private static final int RUNS_MAX = 8;

  /** More responses are lost and none are delayed, because the selection is short. */
  @Test
  void aSelectionPasses() {
    pass(
        List.of(
            selectClass("io.lazuli.client.table.TableQueryTest"),
            selectClass("io.lazuli.client.pattern.outbox.PrimaryTableTest"),
            selectMethod("io.lazuli.client.table.UpdateTest#noIncrementOfEightWritersIsLost"),
            selectMethod(INDEXED + "#concurrentChangesAreNotLost"),
            selectMethod(OUTBOX + "#anUpdateIsCopiedWhereverTheClientDies"),
            selectMethod(OUTBOX + "#anUpdateIsCopiedWhereverTheWorkerDies")),
        "all,timeout-after=6,latency=0,deleting=0");
  }

  /** Responses are delayed less than by {@code all}, because most tests wait for each of them. */
  @Test
  @Tag("long")
  void allTestsPass() {
    SuiteRun first = pass(List.of(selectPackage("io.lazuli.client")), "all,latency=3");
    assertThat(first.passed()).isGreaterThan(300);
  }

  private static SuiteRun pass(List<? extends DiscoverySelector> tests, String faults) {
    long seed = Long.getLong("rehearsal.seed", System.nanoTime() >>> 8);
    SuiteRun first = SuiteRun.of(tests, parameters(faults, seed), EXCLUDED);
    SuiteRun last = first;
    for (int run = 1; run < RUNS_MAX && last.aborted() > 0; run++) {
      print(seed, last);
      assertThat(last.failures()).isEmpty();
      seed++;
      last = last.again(parameters(faults, seed));
    }
    print(seed, last);
    assertThat(last.failures()).isEmpty();
    assertThat(last.aborted()).as("tests that no run completed").isZero();
    return first;
  }

  private static Map<String, String> parameters(String faults, long seed) {
    return Map.of(TestAccount.SETTING, "rehearsed", TestAccount.FAULTS, faults + ",seed=" + seed);
  }

  private static void print(long seed, SuiteRun run) {
    System.out.printf(
        "RehearsedSuiteIT: seed %d, %d passed, %d aborted, %d failed, %d skipped%n",
        seed, run.passed(), run.aborted(), run.failures().size(), run.skipped());
    run.excuses().forEach(excuse -> System.out.println("  aborted: " + excuse));
  }
}
