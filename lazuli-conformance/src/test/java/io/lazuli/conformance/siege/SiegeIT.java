package io.lazuli.conformance.siege;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.conformance.AccountUnderTest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every attack in its short form, one after another against one server that is never restarted in
 * between. The attack that waits for the end of a server and the one on TLS have servers of their
 * own. They run at the same time as the others, because the first mostly waits.
 */
class SiegeIT {

  @TempDir private static Path folder;
  private static final Map<String, Future<SiegeReport>> REPORTS = new HashMap<>();
  private static Target target;
  private static Siege siege;

  @BeforeAll
  static void start() {
    System.out.println(SiegeReport.HEAD);
    ExecutorService threads = Executors.newCachedThreadPool();
    attacks(each -> each.endsServer() || each.isSecure())
        .forEach(name -> REPORTS.put(name, threads.submit(() -> runAlone(name))));
    threads.shutdown();
    target = Target.start(AccountUnderTest.serverJar(), folder, Strength.SHORT);
    siege = new Siege(target, Strength.SHORT);
  }

  private static SiegeReport runAlone(String attack) throws IOException {
    return SiegeCommand.run(AccountUnderTest.serverJar(), Attacks.named(attack), Strength.SHORT);
  }

  @AfterAll
  static void stop() {
    target.close();
  }

  private static List<String> attacks(Predicate<Attack> chosen) {
    return Attacks.all().stream().filter(chosen).map(Attack::name).toList();
  }

  static List<String> attacks() {
    return attacks(each -> true);
  }

  @ParameterizedTest
  @MethodSource("attacks")
  void theServerWithstands(String attack) throws InterruptedException, ExecutionException {
    Future<SiegeReport> alone = REPORTS.get(attack);
    SiegeReport report = alone == null ? siege.run(Attacks.named(attack)) : alone.get();
    System.out.println(report.row());
    assertThat(report.faults()).as("%s", report.row()).isEmpty();
  }
}
