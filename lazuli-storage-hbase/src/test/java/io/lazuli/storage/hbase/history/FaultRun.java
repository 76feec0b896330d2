package io.lazuli.storage.hbase.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.history.History;
import io.lazuli.storage.history.HistoryCheck;
import io.lazuli.storage.history.Operation;
import io.lazuli.storage.history.Operation.Kind;
import io.lazuli.storage.history.Operation.Outcome;
import io.lazuli.storage.history.Violation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.awaitility.Awaitility;

/**
 * One run: two servers and their clients, a fault in the middle, and the check of the history.
 * After any fault, every partition must become writable again.
 */
final class FaultRun implements AutoCloseable {
  private static final int WRITERS = 3;
  private static final int READERS = 2;
  private static final int VIOLATIONS_SHOWN = 20;
  private static final Duration BEFORE = Duration.ofSeconds(5);
  private static final Duration AFTER = Duration.ofSeconds(5);
  private static final Duration RECOVERY_MAX = Duration.ofMinutes(3);

  private final Path site;
  private final StorageEngine first;
  private final StorageEngine second;
  private final Store store;
  private final Regions regions;
  private final Load load;
  private final List<StorageEngine> more = new ArrayList<>();
  private final long seed = new Random().nextLong();

  private FaultRun(Path site) {
    this.site = site;
    this.first = EngineServer.open(site);
    this.second = EngineServer.open(site);
    this.store = Store.create(first);
    this.regions = new Regions(site, store);
    this.load = new Load(seed);
  }

  /** A fault of the cluster while clients work. */
  interface Fault {
    void happen(FaultRun run);
  }

  /** Runs with a fault, prints its cost, and fails if the history has violations. */
  static void with(Path site, String name, Fault fault) {
    with(site, name, run -> {}, fault);
  }

  /** Runs with a fault, after a preparation before the clients begin. */
  static void with(Path site, String name, Fault before, Fault fault) {
    try (FaultRun run = new FaultRun(site)) {
      before.happen(run);
      run.suffer(name, fault);
    }
  }

  private void suffer(String name, Fault fault) {
    try (load) {
      load.add(new EngineServer(first, store), WRITERS, READERS);
      load.add(new EngineServer(second, store), WRITERS, READERS);
      pass(BEFORE);
      fault.happen(this);
      awaitRecovery();
      pass(AFTER);
    }
    judge(name);
  }

  Regions regions() {
    return regions;
  }

  Load load() {
    return load;
  }

  /** Starts one more server, in its own process. */
  ServerProcess startServer() {
    return ServerProcess.start(site, store);
  }

  /**
   * Starts one more server, which learns all locations and then sends no requests. It will not
   * notice by itself that a region server has lost its regions.
   */
  EngineServer startIdleServer() {
    EngineServer idle = new EngineServer(EngineServer.open(site), store);
    more.add(idle.engine());
    Store.WRITTEN.forEach(target -> load.record(idle, new Server.Request(Kind.READ, target, 0)));
    return idle;
  }

  /** Waits until every partition was written by an operation that began after this call. */
  void awaitRecovery() {
    long now = System.nanoTime();
    Awaitility.await().atMost(RECOVERY_MAX).until(() -> load.allWrittenSince(now));
  }

  /** Waits until clients have got this many more answers. */
  void awaitOperations(int count) {
    long enough = load.acknowledged() + count;
    Awaitility.await().atMost(RECOVERY_MAX).until(() -> load.acknowledged() >= enough);
  }

  static void pass(Duration duration) {
    Awaitility.await().pollDelay(duration).atMost(duration.plusMinutes(1)).until(() -> true);
  }

  private void judge(String name) {
    Map<String, Long> ends = new HashMap<>();
    for (String target : Store.WRITTEN) {
      Server.Answer end =
          load.record(new EngineServer(second, store), new Server.Request(Kind.SCAN, target, 0));
      assertThat(end.outcome()).as("the last scan of %s", target).isEqualTo(Outcome.ACKNOWLEDGED);
      ends.put(target, end.seen().get(0).number());
    }
    List<Operation> operations = load.operations();
    List<Violation> violations =
        HistoryCheck.violations(new History(operations, Store.rowsOfScans(), ends));
    System.out.printf(
        "%s: %d operations, %d acknowledged (%d writes), %d unknown, %d failed, %d violations,"
            + " longest %.1f s (counters %.1f s, batches %.1f s), seed %d%n",
        name,
        operations.size(),
        count(operations, Outcome.ACKNOWLEDGED),
        operations.stream().filter(each -> each.isWrite() && each.isAcknowledged()).count(),
        count(operations, Outcome.UNKNOWN),
        count(operations, Outcome.FAILED),
        violations.size(),
        longest(operations, ""),
        longest(operations, "c"),
        longest(operations, "b"),
        seed);
    assertThat(violations.stream().limit(VIOLATIONS_SHOWN)).as(name).isEmpty();
  }

  private static long count(List<Operation> operations, Outcome outcome) {
    return operations.stream().filter(each -> each.outcome() == outcome).count();
  }

  private static double longest(List<Operation> operations, String prefix) {
    return operations.stream()
            .filter(each -> each.target().startsWith(prefix))
            .mapToLong(each -> each.end() - each.start())
            .max()
            .orElse(0)
        / 1e9;
  }

  @Override
  public void close() {
    regions.close();
    more.forEach(StorageEngine::close);
    first.close();
    second.close();
  }
}
