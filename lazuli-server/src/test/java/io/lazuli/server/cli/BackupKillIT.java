package io.lazuli.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.PackedServer;
import io.lazuli.storage.StoreCut;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
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
 * Backs up the packed server while clients write as fast as they can, and kills the server, during
 * the backup in every second round. A complete backup has everything that was acknowledged before
 * it began, and nothing torn. An incomplete one is never listed and leaves the others whole.
 */
class BackupKillIT {
  private static final int WRITERS = 4;

  @TempDir private Path folder;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<BackedUpWriter> writers = new ArrayList<>();

  /** The steps that were acknowledged when the backup began, by its id. */
  private final Map<String, List<Integer>> floors = new TreeMap<>();

  private int restored;
  private int steps;

  @AfterEach
  void endThreads() {
    threads.shutdownNow();
  }

  @Test
  void backupsUnderLoadAndKillsAreWhole() throws IOException, InterruptedException {
    rounds(3);
  }

  @Test
  @Tag("long")
  @Timeout(value = 2, unit = TimeUnit.HOURS)
  void manyBackupsUnderLoadAndKillsAreWhole() throws IOException, InterruptedException {
    rounds(Integer.getInteger("backup.rounds", 50));
  }

  private void rounds(int count) throws IOException, InterruptedException {
    long seed = Long.getLong("backup.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int i = 0; i < WRITERS; i++) {
      writers.add(new BackedUpWriter(i));
    }
    for (int round = 0; round < count; round++) {
      boolean kill = round % 2 == 1;
      try (PackedServer server = PackedServer.start(PackedServer.JAR, folder)) {
        for (BackedUpWriter writer : writers) {
          writer.follow(server);
        }
        backUp(server, kill ? random.nextInt(300) : -1);
      }
      List<String> ids = ids();
      assertThat(run("backup", target(), "--verify", "--rate", "0").code).isZero();
      assertThat(floors.keySet()).as("seed " + seed).containsAll(ids);
      restore(ids.get(ids.size() - 1), round, random);
    }
    assertThat(restored).isEqualTo(count);
    System.out.printf(
        "%d rounds, %d of %d backups complete, %d steps in restored stores, -Dbackup.seed=%d%n",
        count, ids().size(), count, steps, seed);
  }

  /** Makes a backup under load, and ends the server: after it, or in the middle. */
  private void backUp(PackedServer server, int killMillis)
      throws InterruptedException, IOException {
    List<Integer> before = acknowledged();
    List<CompletableFuture<Void>> running =
        writers.stream()
            .map(each -> CompletableFuture.runAsync(() -> each.write(server), threads))
            .toList();
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(
            () -> {
              List<Integer> now = acknowledged();
              return Stream.iterate(0, i -> i + 1)
                  .limit(WRITERS)
                  .allMatch(i -> now.get(i) > before.get(i) + 5);
            });
    List<String> known = ids();
    List<Integer> floor = acknowledged();
    CompletableFuture<Ran> backup =
        CompletableFuture.supplyAsync(
            () -> run("backup", target(), "--data", data(), "--rate", "16"), threads);
    if (killMillis < 0) {
      Ran ran = backup.orTimeout(2, TimeUnit.MINUTES).join();
      assertThat(ran.code).as(ran.text).isZero();
    } else {
      // This does not wait for an event: the kill comes at a random moment.
      assertThat(server.process().waitFor(killMillis, TimeUnit.MILLISECONDS)).isFalse();
    }
    server.close();
    backup.orTimeout(2, TimeUnit.MINUTES).join();
    running.forEach(each -> each.orTimeout(30, TimeUnit.SECONDS).join());
    List<String> now = ids();
    assertThat(now).containsAll(known);
    assertThat(now.size() - known.size()).isBetween(killMillis < 0 ? 1 : 0, 1);
    if (now.size() > known.size()) {
      floors.put(now.get(now.size() - 1), floor);
    }
  }

  /** Kills a restore, then restores completely and compares. */
  private void restore(String id, int round, Random random)
      throws IOException, InterruptedException {
    if (round == 0) {
      killRestore(id, random);
    }
    Path into = folder.resolve("restored" + round);
    Ran ran = run("restore", target(), "--backup", id, "--data", into.resolve("data"));
    assertThat(ran.code).as(ran.text).isZero();
    try (PackedServer server = PackedServer.start(PackedServer.JAR, into)) {
      for (int i = 0; i < WRITERS; i++) {
        steps +=
            writers.get(i).verify(server, floors.get(id).get(i), writers.get(i).acknowledged() + 1);
      }
    }
    restored++;
  }

  private void killRestore(String id, Random random) throws IOException, InterruptedException {
    Path into = folder.resolve("killed-restore");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                PackedServer.JAR.toString(),
                "restore",
                target(),
                "--backup",
                id,
                "--rate",
                "1",
                "--data",
                into.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    // A process that has ended makes no file; a slow machine may need long to start one.
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> Files.exists(into.resolve(StoreCut.UNFINISHED)) || !process.isAlive());
    process.waitFor(random.nextInt(100), TimeUnit.MILLISECONDS);
    process.destroyForcibly().waitFor();
    assertThat(into.resolve(StoreCut.UNFINISHED)).exists();
    Ran ran = run("verify", "--data", into);
    assertThat(ran.code).as(ran.text).isEqualTo(1);
    assertThat(run("restore", target(), "--data", into).code).isEqualTo(1);
  }

  private List<Integer> acknowledged() {
    return writers.stream().map(BackedUpWriter::acknowledged).toList();
  }

  private List<String> ids() throws IOException {
    Path records = Path.of(target(), "backups");
    if (!Files.exists(records)) {
      return List.of();
    }
    Ran ran = run("backup", target(), "--list");
    assertThat(ran.code).as(ran.text).isZero();
    return ran.text.lines().map(line -> line.split(" ", -1)[0]).toList();
  }

  private String target() {
    return folder.resolve("target").toString();
  }

  private String data() {
    return folder.resolve("data").toString();
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
