package io.lazuli.conformance.siege;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.AccountUnderTest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every attack in its short form, one after another against one server that is never restarted in
 * between. The last one stops it.
 */
class SiegeIT {

  @TempDir private static Path folder;
  private static Target target;
  private static Siege siege;

  @BeforeAll
  static void start() {
    target = Target.start(AccountUnderTest.serverJar(), folder);
    siege = new Siege(target, Strength.SHORT);
    System.out.println(SiegeReport.HEAD);
  }

  @AfterAll
  static void stop() {
    target.close();
  }

  /** The attacks that stop the server or get wrong answers until its defences are there. */
  private static final Set<String> PENDING =
      Set.of(
          "heads",
          "unread",
          "listings",
          "control-characters",
          "slow-readers",
          "pipelining",
          "odd-headers",
          "stop");

  static List<String> attacks() {
    return Attacks.all().stream()
        .filter(each -> !each.isSecure() && !PENDING.contains(each.name()))
        .map(Attack::name)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("attacks")
  void theServerWithstands(String attack) {
    assertWithstood(siege.run(Attacks.named(attack)));
  }

  @Test
  void aServerWithTlsWithstandsHandshakes() throws IOException {
    assertWithstood(
        SiegeCommand.run(
            AccountUnderTest.serverJar(), Attacks.named("handshakes"), Strength.SHORT));
  }

  private static void assertWithstood(SiegeReport report) {
    System.out.println(report.row());
    assertThat(report.faults()).as("%s", report.row()).isEmpty();
  }
}
