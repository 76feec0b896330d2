package io.lazuli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectPackage;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** The tests of this module pass on Azurite, except those that meet a known fault of Azurite. */
@Tag("long")
@Isolated(SuiteRun.WHY_ISOLATED)
class AzuriteSuiteIT {
  @Test
  void allTestsPass() {
    Azurite.running();
    SuiteRun run =
        SuiteRun.of(
            List.of(selectPackage("io.lazuli.client")),
            Map.of(TestAccount.SETTING, "azurite"),
            List.of("long", FailsOnAzurite.TAG));
    System.out.printf(
        "AzuriteSuiteIT: %d passed, %d aborted, %d failed, %d skipped%n",
        run.passed(), run.aborted(), run.failures().size(), run.skipped());
    assertThat(run.failures()).isEmpty();
    assertThat(run.passed()).isGreaterThan(300);
  }
}
