package io.lazuli.server.history;

import io.lazuli.server.LazuliServer;
import io.lazuli.server.PackedServer;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.history.HistoryRun.Crowds;
import io.lazuli.storage.history.Crowd.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nothing that clients of a correct server see contradicts its promises, even if it is killed. */
final class HistoryIT {
  private static final int SECONDS = 30;
  private static final int SECONDS_WITH_KILLS = 4;

  @Test
  void nothingIsWrongOnOneServer(@TempDir Path folder) throws IOException, InterruptedException {
    check(folder, Long.getLong("history.calls", 200_000));
  }

  @Test
  @Tag("long")
  @Timeout(value = 5, unit = TimeUnit.HOURS)
  void nothingIsWrongInALongRun(@TempDir Path folder) throws IOException, InterruptedException {
    check(folder, Long.getLong("history.calls", 10_000_000));
  }

  private static void check(Path folder, long calls) throws IOException, InterruptedException {
    long seed = HistoryRun.seedOf("history.seed");
    ServerConfig config = ServerConfig.builder().dataFolder(folder).freePorts().build();
    long start = System.nanoTime();
    try (LazuliServer server = LazuliServer.start(config)) {
      Result result =
          new HistoryRun(() -> Ports.of(server), "history", seed).start(calls, SECONDS).end();
      print("one server", result, start, seed);
      HistoryRun.assertNothingWrong(result);
    }
  }

  @Test
  void nothingIsWrongWhenTheServerIsKilled(@TempDir Path folder)
      throws IOException, InterruptedException {
    checkWithKills(folder, 3, 12_000);
  }

  @Test
  @Tag("long")
  @Timeout(value = 5, unit = TimeUnit.HOURS)
  void nothingIsWrongWhenTheServerIsKilledOften(@TempDir Path folder)
      throws IOException, InterruptedException {
    checkWithKills(
        folder,
        Integer.getInteger("history.kills", 100),
        Long.getLong("history.calls", 10_000_000));
  }

  /** Kills the server at random moments, so that the kills are spread over all calls. */
  private static void checkWithKills(Path folder, int kills, long calls)
      throws IOException, InterruptedException {
    long seed = HistoryRun.seedOf("history.seed");
    Random random = new Random(seed);
    long start = System.nanoTime();
    AtomicReference<Ports> ports = new AtomicReference<>();
    PackedServer server = start(folder, ports);
    try {
      Crowds crowds = new HistoryRun(ports::get, "kills", seed).start(calls, SECONDS_WITH_KILLS);
      for (int i = 0; i < kills; i++) {
        awaitCalls(server, crowds, calls * i / kills, random);
        server.close();
        server = start(folder, ports);
      }
      Result result = crowds.end();
      print(kills + " kills", result, start, seed);
      HistoryRun.assertNothingWrong(result);
    } finally {
      server.close();
    }
  }

  private static PackedServer start(Path folder, AtomicReference<Ports> ports) throws IOException {
    PackedServer server = PackedServer.start(PackedServer.JAR, folder);
    ports.set(new Ports(server.tablePort(), server.queuePort(), server.blobPort()));
    return server;
  }

  private static void awaitCalls(PackedServer server, Crowds crowds, long calls, Random random)
      throws InterruptedException {
    long pause = 200L + random.nextInt(300);
    do {
      // This does not wait for an event: the kill comes at a random moment.
      if (server.process().waitFor(pause, TimeUnit.MILLISECONDS)) {
        throw new AssertionError("the server ended by itself");
      }
    } while (crowds.calls() < calls);
  }

  private static void print(String what, Result result, long start, long seed) {
    Duration time = Duration.ofNanos(System.nanoTime() - start);
    System.out.printf(
        "history, %s: %s, %d s, %d MiB of heap, seed %d%n",
        what,
        result,
        time.toSeconds(),
        (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()) >> 20,
        seed);
  }
}
