package io.lazuli.server.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.LazuliServer;
import io.lazuli.server.WireServer;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.storage.Durability;
import io.lazuli.storage.faults.LyingEngine;
import io.lazuli.storage.faults.LyingEngine.Lie;
import io.lazuli.storage.history.Crowd.Result;
import io.lazuli.storage.history.Violation;
import io.lazuli.storage.history.Violation.Kind;
import io.lazuli.storage.history.http.HistoryRun;
import io.lazuli.storage.history.http.Ports;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every fault that is built into the engine below a whole server is found in each of ten runs, from
 * the answers that clients get over HTTP. Without a fault nothing is found.
 */
final class SeededFaultsTest {
  private static final int RUNS = 10;
  private static final int CLIENTS = 6;
  private static final int CALLS_OF_TARGET = 60;
  private static final int SECONDS = 30;
  private static final String TOKEN = WireServer.accountToken("bqt", "sco", "rwdlacup");
  private static final long CALLS_MAX = 30_000;
  private static final AtomicInteger NAMES = new AtomicInteger();

  private static LazuliServer server;
  private static LyingEngine engine;

  /** A fault, where it is, and as what it must be recognised in some run. */
  enum Fault {
    LOST_WRITE(Lie.LOST_WRITE, 20, "WriteBody", Service.TABLE, Kind.LOST_WRITE),
    LOST_WRITE_OF_A_BLOB(Lie.LOST_WRITE, 10, "IndexedBody", Service.BLOB, Kind.LOST_WRITE),
    LOST_MESSAGE(Lie.LOST_WRITE, 20, "PutBody", Service.QUEUE, Kind.LOST_MESSAGE),
    STALE_READ(Lie.STALE_READ, 10, "WriteBody", Service.TABLE, Kind.STALE_READ),
    TORN_BATCH(Lie.TORN_BATCH, 2, "WriteBody", Service.TABLE, Kind.TORN_BATCH),
    REPEATED_ETAG(Lie.REPEATED_TIMESTAMP, 20, "WriteBody", Service.TABLE, Kind.REPEATED_ETAG),
    REPEATED_ETAG_OF_A_BLOB(
        Lie.REPEATED_TIMESTAMP, 10, "IndexedBody", Service.BLOB, Kind.REPEATED_ETAG),
    HANDED_OUT_TWICE(Lie.LOST_WRITE, 10, "TakeBody", Service.QUEUE, Kind.HANDED_OUT_TWICE),
    REORDERED_COMMITS(Lie.REORDERED_COMMITS, 20, "WriteBody", Service.TABLE, Kind.REORDERED),
    MERGED_COMMITS(Lie.MERGED_COMMITS, 1, "WriteBody", Service.TABLE, Kind.LOST_WRITE);

    private final Lie lie;
    private final int every;
    private final String body;
    private final Service service;
    private final Kind kind;

    Fault(Lie lie, int every, String body, Service service, Kind kind) {
      this.lie = lie;
      this.every = every;
      this.body = body;
      this.service = service;
      this.kind = kind;
    }

    /** Returns true if a violation has the kind, or cannot be told from it by a client. */
    boolean isShownBy(Kind found) {
      return found == kind || (isOldState(found) && isOldState(kind));
    }

    private static boolean isOldState(Kind kind) {
      return kind == Kind.LOST_WRITE || kind == Kind.STALE_READ || kind == Kind.REORDERED;
    }
  }

  /** The service whose clients work. */
  enum Service {
    TABLE,
    QUEUE,
    BLOB
  }

  @BeforeAll
  static void start(@TempDir Path folder) {
    server =
        LazuliServer.start(
            ServerConfig.builder()
                .engine("lying")
                .dataFolder(folder)
                .durability(Durability.RELAXED)
                .freePorts()
                .build());
    engine = LyingEngineProvider.LAST.get();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @AfterEach
  void stopLying() {
    engine.stopLying();
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void aFaultIsFoundInEveryRun(Fault fault) throws IOException, InterruptedException {
    long first = HistoryRun.seedOf("history.seed");
    long calls = 0;
    List<Violation> found = new ArrayList<>();
    for (int i = 0; i < RUNS; i++) {
      engine.lie(fault.lie, fault.every, first + i, fault.body::equals);
      Result result = run(fault.service, first + i, CALLS_MAX);
      engine.stopLying();
      assertThat(result.violations())
          .as("%s, seed %d, %d times", fault, first + i, engine.told())
          .isNotEmpty();
      calls += result.calls();
      found.addAll(result.violations());
    }
    assertThat(found).anyMatch(each -> fault.isShownBy(each.kind()));
    System.out.printf(
        "%s: found in %d of %d runs, after %d calls on average, first seed %d, for example%n%s%n",
        fault, RUNS, RUNS, calls / RUNS, first, found.get(0));
  }

  @Test
  void nothingIsFoundWithoutAFault() throws IOException, InterruptedException {
    long seed = HistoryRun.seedOf("history.seed");
    for (Service service : Service.values()) {
      Result result = run(service, seed, CALLS_MAX / 10);
      System.out.println(service + " without a fault: " + result + ", seed " + seed);
      HistoryRun.assertNothingWrong(result);
    }
  }

  private static Result run(Service service, long seed, long calls)
      throws IOException, InterruptedException {
    String name = "seeded" + NAMES.incrementAndGet();
    HistoryRun run = new HistoryRun(SeededFaultsTest::ports, TOKEN, name, seed);
    return switch (service) {
      case TABLE -> run.tables(CLIENTS, CALLS_OF_TARGET, calls).end();
      case QUEUE -> run.queues(CLIENTS, CALLS_OF_TARGET, SECONDS, calls).end();
      case BLOB -> run.blobs(CLIENTS, CALLS_OF_TARGET, calls).end();
    };
  }

  private static Ports ports() {
    return Ports.onLoopback(server.tablePort(), server.queuePort(), server.blobPort());
  }
}
