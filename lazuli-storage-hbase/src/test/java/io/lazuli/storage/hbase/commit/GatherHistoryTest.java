package io.lazuli.storage.hbase.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.StorageException;
import io.lazuli.storage.contract.Race;
import io.lazuli.storage.hbase.commit.FakeRegions.Batch;
import io.lazuli.storage.history.History;
import io.lazuli.storage.history.HistoryCheck;
import io.lazuli.storage.history.Operation;
import io.lazuli.storage.history.Operation.Kind;
import io.lazuli.storage.history.Operation.Outcome;
import io.lazuli.storage.history.Operation.Seen;
import io.lazuli.storage.history.Violation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * Histories of commits that share calls, whose answers are sometimes lost. The rule that commits
 * with a common row never share a call is needed: without it the check finds lost writes.
 */
class GatherHistoryTest {
  private static final List<String> TARGETS = List.of("c0", "c1", "c2");
  private static final int CLIENTS = 12;
  private static final int WRITES = 30;
  private static final long CALL_NANOS = 300_000;

  /** One answer of this many is lost. */
  private static final int LOST_OF = 25;

  /** The rule without what makes it right. */
  private static final GatherRule FAULTY =
      new GatherRule(
          GatherRule.DEFAULT.commitsMax(),
          GatherRule.DEFAULT.rowsMax(),
          GatherRule.DEFAULT.bytesMax(),
          (some, others) -> false);

  @Test
  void nothingIsWrong() {
    assertThat(violations(GatherRule.DEFAULT, new Random().nextLong())).isEmpty();
  }

  @Test
  void theCheckFindsCommitsWithACommonRowInOneCall() {
    assertThat(violations(FAULTY, new Random().nextLong()))
        .extracting(Violation::kind)
        .contains(Violation.Kind.LOST_WRITE);
  }

  private static List<Violation> violations(GatherRule rule, long seed) {
    Queue<Operation> operations = new ConcurrentLinkedQueue<>();
    Map<String, Long> ends = new HashMap<>();
    AtomicInteger shared = new AtomicInteger();
    ExecutorService region = Executors.newSingleThreadExecutor();
    try (FakeStore store = new FakeStore(rule)) {
      Random random = new Random(seed);
      store.regions.handle(batch -> region.execute(() -> process(batch, random, shared)));
      Race.run(
          CLIENTS,
          client ->
              () -> {
                Random choices = new Random(seed + client + 1);
                for (int i = 0; i < WRITES; i++) {
                  operations.add(write(store, TARGETS.get(choices.nextInt(TARGETS.size()))));
                }
              });
      TARGETS.forEach(target -> ends.put(target, store.counter(target, "0")));
    } finally {
      region.shutdown();
    }
    assertThat(shared).as("calls of several commits").hasPositiveValue();
    System.out.printf(
        "%d writes, %d shared calls, %d unknown, seed %d%n",
        operations.size(),
        shared.get(),
        operations.stream().filter(each -> each.outcome() == Outcome.UNKNOWN).count(),
        seed);
    return HistoryCheck.violations(new History(List.copyOf(operations), Map.of(), ends));
  }

  /** Answers a call after a while. Its answer, or the whole call, may be lost. */
  private static void process(Batch batch, Random random, AtomicInteger shared) {
    LockSupport.parkNanos(CALL_NANOS);
    if (batch.mutations() > 1) {
      shared.incrementAndGet();
    }
    if (random.nextInt(LOST_OF) > 0) {
      batch.process();
    } else {
      if (random.nextBoolean()) {
        batch.carryOut();
      }
      batch.lose();
    }
  }

  private static Operation write(FakeStore store, String target) {
    long start = System.nanoTime();
    try {
      long number = store.increment(target, "0").join();
      return new Operation(
          Kind.WRITE,
          target,
          start,
          System.nanoTime(),
          Outcome.ACKNOWLEDGED,
          List.of(new Seen(target + "/0", number)));
    } catch (CompletionException e) {
      boolean isUnknown =
          e.getCause() instanceof StorageException failure
              && failure.kind() == StorageException.Kind.UNKNOWN_OUTCOME;
      Outcome outcome = isUnknown ? Outcome.UNKNOWN : Outcome.FAILED;
      return new Operation(Kind.WRITE, target, start, System.nanoTime(), outcome, List.of());
    }
  }
}
