package io.lazuli.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.PackedServer;
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
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Kills the packed server while it archives under load. The archive ends at most 10 seconds before
 * the kill, it has everything that was acknowledged before its end, and the next server goes on
 * with it.
 */
class ArchiveKillIT {
  private static final int WRITERS = 3;
  private static final Duration LAG_MAX = Duration.ofSeconds(10);

  @TempDir private Path folder;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<BackedUpWriter> writers = new ArrayList<>();

  /** The steps that were acknowledged at a moment. */
  private final NavigableMap<Instant, List<Integer>> acknowledged = new TreeMap<>();

  @AfterEach
  void endThreads() {
    threads.shutdownNow();
  }

  @Test
  void aKilledServerLeavesAnArchiveThatIsAtMostTenSecondsOld()
      throws IOException, InterruptedException {
    rounds(1);
  }

  @Test
  @Tag("long")
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void manyKillsLeaveAnArchive() throws IOException, InterruptedException {
    rounds(Integer.getInteger("archive.rounds", 10));
  }

  private void rounds(int count) throws IOException, InterruptedException {
    long seed = Long.getLong("archive.seed", System.nanoTime());
    Random random = new Random(seed);
    Duration worst = Duration.ZERO;
    for (int i = 0; i < WRITERS; i++) {
      writers.add(new BackedUpWriter(i));
    }
    for (int round = 0; round < count; round++) {
      Instant killed = runAndKill(round, random);
      Instant end = end();
      Duration lag = Duration.between(end, killed);
      worst = lag.compareTo(worst) > 0 ? lag : worst;
      assertThat(lag).as("seed " + seed).isLessThan(LAG_MAX);
      assertThat(run("backup", target(), "--verify", "--rate", "0").code).isZero();
      compare(end, round);
    }
    // The next server goes on, so there is still one window.
    try (PackedServer server = start()) {
      Instant started = Instant.now();
      Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> end().isAfter(started));
    }
    System.out.printf(
        "%d kills, the archive was at most %d ms behind, -Darchive.seed=%d%n",
        count, worst.toMillis(), seed);
  }

  /** Returns the moment of the kill. */
  private Instant runAndKill(int round, Random random) throws IOException, InterruptedException {
    try (PackedServer server = start()) {
      for (BackedUpWriter writer : writers) {
        writer.follow(server);
      }
      if (round == 0) {
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> !windows().isEmpty());
      }
      List<Integer> before = steps();
      List<CompletableFuture<Void>> running =
          writers.stream()
              .map(each -> CompletableFuture.runAsync(() -> each.write(server), threads))
              .toList();
      Instant begun = Instant.now();
      Duration load = Duration.ofMillis(3_000 + random.nextInt(3_000));
      Awaitility.await()
          .atMost(Duration.ofMinutes(1))
          .pollInterval(Duration.ofMillis(20))
          .until(
              () -> {
                // In this order: the steps were acknowledged before the moment.
                List<Integer> now = steps();
                acknowledged.put(Instant.now(), now);
                return Duration.between(begun, Instant.now()).compareTo(load) > 0
                    && Stream.iterate(0, i -> i + 1)
                        .limit(WRITERS)
                        .allMatch(i -> now.get(i) > before.get(i) + 5);
              });
      Instant killed = Instant.now();
      server.close();
      running.forEach(each -> each.orTimeout(30, TimeUnit.SECONDS).join());
      return killed;
    }
  }

  private void compare(Instant moment, int round) throws IOException, InterruptedException {
    Path into = folder.resolve("restored" + round);
    Ran ran = run("restore", target(), "--at", moment, "--data", into.resolve("data"));
    assertThat(ran.code).as(ran.text).isZero();
    Map.Entry<Instant, List<Integer>> floor = acknowledged.floorEntry(moment);
    try (PackedServer server = PackedServer.start(PackedServer.JAR, into)) {
      for (int i = 0; i < WRITERS; i++) {
        int unused =
            writers
                .get(i)
                .verify(
                    server,
                    floor == null ? 0 : floor.getValue().get(i),
                    writers.get(i).acknowledged() + 1);
      }
    }
  }

  private PackedServer start() throws IOException {
    return PackedServer.start(
        PackedServer.JAR,
        folder,
        "--backup-target=" + target(),
        "--backup-archive=true",
        "--backup-rate=0");
  }

  private List<Integer> steps() {
    return writers.stream().map(BackedUpWriter::acknowledged).toList();
  }

  /** Returns the end of the archive, which has one window. */
  private Instant end() {
    List<String> windows = windows();
    assertThat(windows).hasSize(1);
    return Instant.parse(windows.get(0).replaceAll(".* to ", ""));
  }

  private List<String> windows() {
    return run("backup", target(), "--list")
        .text
        .lines()
        .filter(line -> line.startsWith("any moment"))
        .toList();
  }

  private String target() {
    return folder.resolve("target").toString();
  }

  private record Ran(int code, String text) {}

  private static Ran run(Object... words) {
    StringWriter out = new StringWriter();
    String[] args = Arrays.stream(words).map(Object::toString).toArray(String[]::new);
    CommandLine commandLine =
        Main.commandLine(new Secrets(InputStream.nullInputStream(), Map.of()), Map.of());
    commandLine.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(out, true));
    return new Ran(commandLine.execute(args), out.toString());
  }
}
