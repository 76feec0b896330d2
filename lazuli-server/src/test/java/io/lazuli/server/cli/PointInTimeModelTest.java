package io.lazuli.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lazuli.server.LazuliServer;
import io.lazuli.server.config.ServerConfig;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Restores random moments of a random history of tables, queues and blobs, with backups and
 * restarts in between, and compares each with a model.
 */
class PointInTimeModelTest {
  /**
   * One step of the history.
   *
   * @param begun before the request was sent
   * @param ended after it was answered
   * @param after everything that is stored then
   */
  private record Step(Instant begun, Instant ended, SortedMap<String, String> after) {}

  @TempDir private Path folder;
  private final List<Step> steps = new ArrayList<>();

  @Test
  void randomMomentsAreAsInTheModel() throws IOException {
    history(150, 3);
  }

  @Test
  @Tag("long")
  void manyRandomMomentsAreAsInTheModel() throws IOException {
    history(Integer.getInteger("point.steps", 3_000), Integer.getInteger("point.moments", 20));
  }

  private void history(int count, int moments) throws IOException {
    long seed = Long.getLong("point.seed", System.nanoTime());
    Random random = new Random(seed);
    RandomStore store = new RandomStore(random);
    LazuliServer server = start();
    try {
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> run("backup", target(), "--list").contains("any moment"));
      Instant begun = Instant.now();
      steps.add(new Step(begun, begun, store.model()));
      for (int i = 0; i < count; i++) {
        if (i > 0 && i % Math.max(50, count / 4) == 0) {
          server.close();
          server = start();
        }
        if (i % Math.max(60, count / 5) == 30) {
          assertThat(run("backup", target(), "--rate", "0", "--data", data())).contains("complete");
        }
        Instant before = Instant.now();
        store.step(server);
        steps.add(new Step(before, Instant.now(), store.model()));
      }
    } finally {
      server.close();
    }
    int between = 0;
    for (int i = 0; i < moments; i++) {
      between += compare(random, i, "seed " + seed);
    }
    System.out.printf(
        "%d moments of %d steps were restored, %d of them during a step, -Dpoint.seed=%d%n",
        moments, count, between, seed);
  }

  /** Restores one moment. Returns 1 if it is during a step, whose change may be there or not. */
  private int compare(Random random, int number, String name) throws IOException {
    Instant first = steps.get(0).ended();
    Duration whole = Duration.between(first, steps.get(steps.size() - 1).ended());
    Instant moment = first.plusNanos((long) (random.nextDouble() * whole.toNanos()));
    int done = 0;
    while (done + 1 < steps.size() && !steps.get(done + 1).ended().isAfter(moment)) {
      done++;
    }
    boolean during = done + 1 < steps.size() && !steps.get(done + 1).begun().isAfter(moment);
    Path into = folder.resolve("restored" + number);
    String told = run("restore", target(), "--at", moment, "--data", into);
    assertThat(told).as(name).contains(" was restored into ");
    try (LazuliServer server = LazuliServer.start(config(into).build())) {
      SortedMap<String, String> found = RandomStore.read(server);
      SortedMap<String, String> expected = steps.get(done).after();
      if (during && !found.equals(expected)) {
        expected = steps.get(done + 1).after();
      }
      assertThat(found)
          .as("%s, moment %s, step %d: %s", name, moment, done, told)
          .isEqualTo(expected);
    }
    return during ? 1 : 0;
  }

  private LazuliServer start() {
    return LazuliServer.start(
        config(Path.of(data()))
            .backup(plan -> plan.withTarget(target()).withArchive(true).withRateMib(0))
            .build());
  }

  private static ServerConfig.Builder config(Path data) {
    return ServerConfig.builder().freePorts().dataFolder(data);
  }

  private String target() {
    return folder.resolve("target").toString();
  }

  private String data() {
    return folder.resolve("data").toString();
  }

  private static String run(Object... words) {
    StringWriter out = new StringWriter();
    String[] args = Arrays.stream(words).map(Object::toString).toArray(String[]::new);
    CommandLine commandLine =
        Main.commandLine(new Secrets(InputStream.nullInputStream(), Map.of()), Map.of());
    commandLine.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(out, true));
    int unused = commandLine.execute(args);
    return out.toString();
  }
}
