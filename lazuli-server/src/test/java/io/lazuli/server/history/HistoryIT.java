package io.lazuli.server.history;

import io.lazuli.server.PackedServer;
import io.lazuli.server.WireServer;
import io.lazuli.storage.history.Crowd.Result;
import io.lazuli.storage.history.http.HistoryRun;
import io.lazuli.storage.history.http.HistoryRun.Crowds;
import io.lazuli.storage.history.http.Ports;
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

/**
 * Nothing that clients of the packed server see contradicts its promises, although it is killed and
 * started again while they work.
 */
final class HistoryIT {
  /** Messages that a lost answer hides are visible again after this time. */
  private static final int SECONDS = 4;

  private static final String TOKEN = WireServer.accountToken("bqt", "sco", "rwdlacup");

  /** A server that serves more operations than this until its kill is worth compiling well. */
  private static final long WORTH_COMPILING = 200_000;

  @Test
  void nothingIsWrongWhenTheServerIsKilled(@TempDir Path folder)
      throws IOException, InterruptedException {
    check(folder, 3, 200_000);
  }

  @Test
  @Tag("long")
  @Timeout(value = 5, unit = TimeUnit.HOURS)
  void nothingIsWrongInALongRunWithManyKills(@TempDir Path folder)
      throws IOException, InterruptedException {
    check(
        folder,
        Integer.getInteger("history.kills", 25),
        Long.getLong("history.operations", 10_000_000));
  }

  /** Kills the server at random moments, which are spread over the run. */
  private static void check(Path folder, int kills, long operations)
      throws IOException, InterruptedException {
    long seed = HistoryRun.seedOf("history.seed");
    Random random = new Random(seed);
    long start = System.nanoTime();
    AtomicReference<Ports> ports = new AtomicReference<>();
    long operationsPerStart = operations / (kills + 1);
    PackedServer server = start(folder, operationsPerStart, ports);
    try {
      Crowds crowds = new HistoryRun(ports::get, TOKEN, "history", seed).start(operations, SECONDS);
      for (int i = 1; i <= kills; i++) {
        awaitOperations(server, crowds, operationsPerStart * i, random);
        server.close();
        server = start(folder, operationsPerStart, ports);
      }
      Result result = crowds.end();
      print(kills, result, start, seed);
      HistoryRun.assertNothingWrong(result);
    } finally {
      server.close();
    }
  }

  private static PackedServer start(Path folder, long operations, AtomicReference<Ports> ports)
      throws IOException {
    PackedServer server =
        operations < WORTH_COMPILING
            ? PackedServer.start(PackedServer.JAR, folder)
            : PackedServer.startForLong(PackedServer.JAR, folder);
    ports.set(Ports.onLoopback(server.tablePort(), server.queuePort(), server.blobPort()));
    return server;
  }

  private static void awaitOperations(
      PackedServer server, Crowds crowds, long operations, Random random)
      throws InterruptedException {
    long pause = 200L + random.nextInt(300);
    do {
      // This does not wait for an event: the kill comes at a random moment.
      if (server.process().waitFor(pause, TimeUnit.MILLISECONDS)) {
        throw new AssertionError("the server ended by itself");
      }
    } while (crowds.operations() < operations && !crowds.isBroken());
  }

  private static void print(int kills, Result result, long start, long seed) {
    Duration time = Duration.ofNanos(System.nanoTime() - start);
    System.out.printf(
        "history over %d kills: %s, %d s, %d MiB of heap, seed %d%n",
        kills,
        result,
        time.toSeconds(),
        (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()) >> 20,
        seed);
  }
}
