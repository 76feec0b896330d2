package io.lazuli.conformance.runner;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lazuli.conformance.Account;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.CleanUp;
import io.lazuli.conformance.Covers;
import io.lazuli.conformance.Differs;
import io.lazuli.conformance.Documented;
import io.lazuli.conformance.StorageService;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import picocli.CommandLine;

/** Runs the command with a few cases defined here, against a server without tables. */
class ConformanceCommandTest {

  private static final String KEY =
      Base64.getEncoder().encodeToString("a secret of no use".getBytes(StandardCharsets.UTF_8));

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Map<String, String> environment = Map.of();
  private String input = "";

  @TempDir private Path folder;

  @BeforeEach
  void startServer() {
    EmptyTableServer.start();
  }

  @AfterEach
  void stopServer() {
    EmptyTableServer.stop();
  }

  /** Cases that pass. */
  @Covers(Area.PAGING)
  static class GoodConformanceTest {
    @Test
    @Documented("reference 1")
    void isGood() {}

    @Test
    @Tag("own-server")
    @Documented("reference 2")
    void killsTheServer() {
      throw new AssertionError("must not run elsewhere");
    }

    @Test
    @Tag("long")
    @Documented("reference 3")
    void takesLong() {
      throw new AssertionError("must not run unless asked for");
    }
  }

  /** Cases of which some fail. */
  @Covers(Area.TYPES)
  static class MixedConformanceTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    @Documented("reference 4")
    @Differs("Example 1.0 stores it")
    void isNotTwo(int number) {
      assertThat(number)
          .as("HTTP/1.1 400 Bad Request\n\n{\"odata.error\":{\"code\":\"InvalidInput\"}}")
          .isNotEqualTo(2);
    }

    @Test
    @Covers(Area.LIMITS)
    @Documented("reference 5: do")
    void expectsAnother() {
      assertThat("seen").isEqualTo("expected");
    }
  }

  /** A case that prints the key. */
  @Covers(Area.ACCESS)
  static class TalkativeConformanceTest {
    @Test
    @Documented("reference 6")
    void saysTheKey() {
      throw new AssertionError("signed with " + KEY);
    }
  }

  /** A case of another service. */
  @Covers(value = Area.LIMITS, service = StorageService.QUEUE)
  static class QueueConformanceTest {
    @Test
    @Covers(Area.PAGING)
    @Documented("reference 7")
    void isOfTheQueueService() {}
  }

  /** A case that never ends. */
  @Covers(Area.ERRORS)
  static class StuckConformanceTest {
    @Test
    @Documented("reference 8")
    void waitsForEver() throws InterruptedException {
      new CountDownLatch(1).await();
    }
  }

  /** A case that fails and leaves a resource to remove. */
  @Covers(Area.ERRORS)
  static class UntidyConformanceTest {
    static final AtomicInteger REMOVED = new AtomicInteger();

    @Test
    @Documented("reference 9")
    void leavesSomething() {
      CleanUp.later(REMOVED::incrementAndGet);
      throw new AssertionError("fails");
    }
  }

  /** Cases of which the first stops the server. */
  @Covers(Area.ERRORS)
  static class EndingConformanceTest {
    static final AtomicInteger TRIED = new AtomicInteger();

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    @Documented("reference 10")
    void isNotAnswered(int number) {
      EmptyTableServer.stop();
      TRIED.incrementAndGet();
      throw new UncheckedIOException(new IOException("closed " + number));
    }
  }

  @Test
  void aPassingRunEndsWithZeroAndAScoreCard() {
    assertThat(test(GoodConformanceTest.class)).isZero();
    assertThat(out.toString())
        .contains("table           passed  failed     n/a")
        .containsPattern("paging +1 +0 +1 +100 %")
        .contains("not applicable: Good.killsTheServer")
        .doesNotContain("takesLong", "FAILED");
    assertThat(err.toString()).contains("[ 1/ 1] Good");
  }

  @Test
  void aFailedCaseIsShownWithNameEvidenceAndWhatWasSeen() {
    assertThat(test(GoodConformanceTest.class, MixedConformanceTest.class)).isEqualTo(1);
    assertThat(out.toString())
        .containsPattern("FAILED Mixed.isNotTwo \\[2\\] .*2")
        .contains("evidence: reference 4; known: Example 1.0 stores it")
        .contains("(answer: 400 Bad Request InvalidInput)")
        .contains("FAILED Mixed.expectsAnother")
        .contains("expected \"expected\", was \"seen\"")
        .containsPattern("types +2 +1 +0 +66 %")
        .containsPattern("limits +0 +1 +0 +0 %")
        .containsPattern("all +3 +2 +1 +60 %");
  }

  @Test
  void anAreaIsAllThatIsRun() {
    assertThat(test("--area paging", GoodConformanceTest.class, MixedConformanceTest.class))
        .isZero();
    assertThat(out.toString()).contains("paging").doesNotContain("types", "limits");
    assertThat(test("--area cors", GoodConformanceTest.class)).isEqualTo(2);
    assertThat(err.toString()).contains("no cases");
  }

  @Test
  void anEndpointIsOfOneService() {
    assertThat(test(GoodConformanceTest.class, QueueConformanceTest.class)).isZero();
    assertThat(out.toString()).doesNotContain("queue");
    assertThat(test("--service queue", GoodConformanceTest.class, QueueConformanceTest.class))
        .isZero();
    assertThat(out.toString()).containsPattern("queue +passed[^\\n]*\\npaging +1");
  }

  @Test
  void theReportsHaveEveryCase() throws IOException {
    Path json = folder.resolve("report.json");
    Path page = folder.resolve("report.md");
    test(
        "--label Example --json " + json + " --markdown " + page,
        GoodConformanceTest.class,
        MixedConformanceTest.class);
    JsonNode root = new ObjectMapper().readTree(json.toFile());
    assertThat(root.path("label").asText()).isEqualTo("Example");
    assertThat(root.path("total").toString())
        .isEqualTo("{\"passed\":3,\"failed\":2,\"notApplicable\":1}");
    assertThat(root.at("/services/table/types/failed").asInt()).isEqualTo(1);
    assertThat(root.path("cases")).hasSize(6);
    assertThat(root.path("cases").get(2).path("evidence").asText()).isEqualTo("reference 5: do");
    assertThat(root.path("cases").get(2).path("outcome").asText()).isEqualTo("failed");
    assertThat(ReportJson.text(ReportJson.read(json))).isEqualTo(Files.readString(json));
    assertThat(Files.readString(page))
        .contains("| table | Example |", "| types | 2 of 3, 66 % |", "| **all** | 3 of 5, 60 % |")
        .contains("| by the reference | 3 of 4, 75 % |")
        .contains("- Mixed.isNotTwo (1 case, reference 4): Example 1.0 stores it")
        .contains("Not applicable to Example: Good.");
  }

  @Test
  void reportsAreComparedOnOnePage() throws IOException {
    Path one = folder.resolve("one.json");
    Path two = folder.resolve("two.json");
    test("--label One --json " + one, GoodConformanceTest.class);
    test(
        "--label Two --note slowly --json " + two,
        GoodConformanceTest.class,
        MixedConformanceTest.class);
    assertThat(run("--compare " + one + " " + two)).isZero();
    assertThat(out.toString())
        .contains("| table | One | Two |")
        .contains("| types | not applicable | 2 of 3, 66 % |")
        .contains("## Failures of One\n\nNone.")
        .containsPattern("- Two: 20\\S+, \\d+ s; slowly");
  }

  @Test
  void theKeyIsNeverSaid() throws IOException {
    Path json = folder.resolve("report.json");
    assertThat(test("--json " + json, TalkativeConformanceTest.class)).isEqualTo(1);
    assertThat(out.toString() + err + Files.readString(json))
        .contains("signed with (key)")
        .doesNotContain(KEY);
  }

  @Test
  void theKeyComesFromTheEnvironmentOrStandardInputToo() {
    String account = "--account someone --endpoint " + EmptyTableServer.endpoint();
    environment = Map.of(ConformanceCommand.KEY_VARIABLE, KEY);
    assertThat(run(account, GoodConformanceTest.class)).isZero();
    environment = Map.of();
    input = KEY + "\n";
    assertThat(run(account + " --key -", GoodConformanceTest.class)).isZero();
    assertThat(EmptyTableServer.accounts()).containsOnly("someone");
  }

  @Test
  void aStuckCaseFailsAfterTheLimit() {
    assertThat(test("--time-limit 1", StuckConformanceTest.class)).isEqualTo(1);
    assertThat(out.toString()).contains("FAILED Stuck.waitsForEver").contains("timed out");
  }

  @Test
  void failedCasesRemoveTheResourcesThatTheyCreated() {
    UntidyConformanceTest.REMOVED.set(0);
    assertThat(test(UntidyConformanceTest.class)).isEqualTo(1);
    assertThat(UntidyConformanceTest.REMOVED).hasValue(1);
  }

  @Test
  void aRunEndsWhenTheEndpointIsGone() {
    EndingConformanceTest.TRIED.set(0);
    assertThat(test(EndingConformanceTest.class)).isEqualTo(2);
    assertThat(EndingConformanceTest.TRIED).hasValue(3);
    assertThat(err.toString()).contains("does not answer any more");
  }

  @Test
  void anEndpointThatCannotBeTestedIsOneLineAndTwo() {
    EmptyTableServer.stop();
    assertThat(test(GoodConformanceTest.class)).isEqualTo(2);
    assertThat(err.toString().lines()).singleElement().asString().contains("cannot reach");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void anEndpointThatRefusesTheKeyIsOneLineAndTwo() {
    EmptyTableServer.answer(403);
    assertThat(test(GoodConformanceTest.class)).isEqualTo(2);
    assertThat(err.toString().lines()).singleElement().asString().contains("refuses this account");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--area nothing",
        "--account someone",
        "--endpoint nowhere",
        "--endpoint ftp://127.0.0.1/a",
        "--endpoint http://127.0.0.1:1/a --account someone",
        "--endpoint http://127.0.0.1:1/a --key %%%",
        "--endpoint http://127.0.0.1:1/a --json no/such/folder/report.json"
      })
  void wrongUseEndsWithTwo(String line) {
    assertThat(run(line, GoodConformanceTest.class)).isEqualTo(2);
    assertThat(err.toString()).isNotEmpty().doesNotContain("Exception", "%%%");
  }

  private int test(Class<?>... cases) {
    return test("", cases);
  }

  private int test(String options, Class<?>... cases) {
    String endpoint = EmptyTableServer.endpoint() + " --account " + Account.DEVELOPMENT_NAME;
    return run("--endpoint " + endpoint + " --key " + KEY + " " + options, cases);
  }

  private int run(String options, Class<?>... cases) {
    ConformanceCommand command =
        new ConformanceCommand(
            environment,
            new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
            Arrays.stream(cases).map(DiscoverySelectors::selectClass).toList());
    CommandLine line = command.commandLine();
    line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    List<String> words = new ArrayList<>(List.of(options.split(" ", -1)));
    words.removeIf(String::isEmpty);
    return line.execute(words.toArray(String[]::new));
  }
}
