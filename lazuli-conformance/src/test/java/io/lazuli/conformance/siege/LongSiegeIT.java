package io.lazuli.conformance.siege;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.AccountUnderTest;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every attack in its full form, each against a new server, which is then stopped by SIGTERM. */
@Tag("long")
class LongSiegeIT {

  @BeforeAll
  static void printHead() {
    System.out.println(SiegeReport.HEAD);
  }

  static List<String> attacks() {
    return Attacks.all().stream().map(Attack::name).toList();
  }

  /** The attack {@code blocks} first puts 300,000 blocks, one after another. */
  @ParameterizedTest
  @MethodSource("attacks")
  @Timeout(value = 30, unit = TimeUnit.MINUTES)
  void theServerWithstands(String attack) throws IOException {
    SiegeReport report =
        SiegeCommand.run(AccountUnderTest.serverJar(), Attacks.named(attack), Strength.FULL);
    System.out.println(report.row());
    assertThat(report.faults()).as("%s", report.row()).isEmpty();
  }
}
