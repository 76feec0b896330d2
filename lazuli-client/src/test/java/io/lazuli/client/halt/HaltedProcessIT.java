package io.lazuli.client.halt;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.client.TestAccount;
import io.lazuli.client.fault.BlockingThreads;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.halt.HaltedRun.Kind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Processes that use a pattern halt, others continue, and the pattern keeps its guarantees. {@code
 * -Dhalt.seed=N} repeats all runs, {@code -Dhalt.replay=KIND:WORKLOAD:SEED} repeats one.
 */
@Execution(ExecutionMode.CONCURRENT)
class HaltedProcessIT {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  /** The number of runs that wait for messages and orphans at the same time. */
  private static final int RUNS_AT_ONCE = 24;

  /** Each run has two processes, which cost seconds of processor time; -Plong has many runs. */
  private static final int SHORT_PROCESSES = 1;

  private static final int LONG_PROCESSES_EACH = 15;
  private static final int LONG_CLIENTS_EACH = 15;

  /** The number of runs whose processes work at the same time. */
  private static final Semaphore WORKING =
      new Semaphore(Math.max(1, Runtime.getRuntime().availableProcessors() / HaltedRun.ACTORS));

  @TempDir private Path folder;

  /** The number of runs on a machine that was too busy for them. */
  private final AtomicInteger proveNothing = new AtomicInteger();

  private final long seed = Long.getLong("halt.seed", System.nanoTime() >>> 8);
  private final Random random = new Random(seed);

  @Test
  void everyPatternKeepsItsGuaranteesWhenItsClientsAreCut() {
    run(Workloads.ofClients().stream().map(name -> run(Kind.CLIENT, name)).toList());
  }

  @Test
  void aPatternWithoutGuaranteesIsFound() {
    assertThat(failures(runs(Kind.CLIENT, List.of(Workloads.BROKEN), 8)))
        .isNotEmpty()
        .allSatisfy(
            failure ->
                assertThat(failure).contains("-Dhalt.replay=CLIENT:broken:").contains("pairs"));
  }

  @Test
  void patternsKeepTheirGuaranteesWhenAFewProcessesHalt() {
    List<String> names = new ArrayList<>(Workloads.ofProcesses());
    Collections.shuffle(names, random);
    run(names.stream().limit(SHORT_PROCESSES).map(name -> run(Kind.PROCESS, name)).toList());
  }

  @Test
  @Tag("long")
  void everyPatternKeepsItsGuaranteesWhenManyClientsAreCut() {
    run(runs(Kind.CLIENT, Workloads.ofClients(), LONG_CLIENTS_EACH));
  }

  @Test
  @Tag("long")
  void everyPatternKeepsItsGuaranteesWhenFiveHundredProcessesHalt() {
    List<HaltedRun> runs = runs(Kind.PROCESS, Workloads.ofProcesses(), LONG_PROCESSES_EACH);
    assertThat(runs.size() * HaltedRun.ACTORS).isGreaterThanOrEqualTo(500);
    run(runs);
  }

  private List<HaltedRun> runs(Kind kind, List<String> workloads, int each) {
    return IntStream.range(0, each)
        .boxed()
        .flatMap(round -> workloads.stream())
        .map(workload -> run(kind, workload))
        .toList();
  }

  private HaltedRun run(Kind kind, String workload) {
    return new HaltedRun(kind, workload, random.nextInt(Integer.MAX_VALUE));
  }

  private void run(List<HaltedRun> planned) {
    String replay = System.getProperty("halt.replay", "");
    List<HaltedRun> runs = replay.isEmpty() ? planned : List.of(HaltedRun.parse(replay));
    long begin = System.nanoTime();
    List<String> failures = failures(runs);
    System.out.printf(
        "HaltedProcessIT: seed %d, %d of kind %s stopped in %d runs of %d workloads, %d failures,"
            + " %d too slow, %d s%n",
        seed,
        runs.size() * HaltedRun.ACTORS,
        runs.get(0).kind(),
        runs.size(),
        runs.stream().map(HaltedRun::workload).distinct().count(),
        failures.size(),
        proveNothing.get(),
        TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin));
    assertThat(failures).as("seed %d", seed).isEmpty();
  }

  private List<String> failures(List<HaltedRun> runs) {
    return Flux.fromIterable(runs)
        .flatMap(
            run ->
                Mono.fromCallable(() -> failure(run))
                    .subscribeOn(BlockingThreads.get())
                    .flatMap(Mono::justOrEmpty),
            RUNS_AT_ONCE)
        .collectList()
        .blockOptional()
        .orElseThrow();
  }

  /** Returns any failure as text, so that the other runs still take place. */
  private Optional<String> failure(HaltedRun run) throws InterruptedException {
    TestClient live = TestClient.of(ACCOUNT);
    World world = run.world(folder);
    try {
      WORKING.acquire();
      try {
        run.act(world, live, ACCOUNT.connectionString());
      } finally {
        WORKING.release();
      }
      if (!run.check(world, live)) {
        proveNothing.incrementAndGet();
      }
      return Optional.empty();
    } catch (RuntimeException | AssertionError failure) {
      String text = run.described(world) + System.lineSeparator() + failure;
      System.out.println("HaltedProcessIT: " + text);
      return Optional.of(text);
    }
  }
}
