package io.lazuli.storage.hbase;

import static io.lazuli.storage.contract.EngineFixture.await;
import static io.lazuli.storage.contract.EngineFixture.bytes;
import static io.lazuli.storage.contract.EngineFixture.numbered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.TransactionBody;
import io.lazuli.storage.Visit;
import io.lazuli.storage.contract.EngineFixture;
import io.lazuli.storage.hbase.call.EngineThreads;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bodies that stop and run again, and the threads on which code of callers runs. */
class EngineThreadsIT {
  private HBaseEngine engine;
  private Partition partition;

  @BeforeEach
  void open(@TempDir Path folder) {
    engine =
        HBaseEngine.open(
            EngineConfig.of(folder), TestCluster.shared().site(), HBaseSettings.DEFAULT);
    partition =
        new Partition(
            new Space(await(engine.newSpace(SpaceKind.TABLE, Deadline.NEVER)), EngineFixture.HOME),
            bytes("p"));
    transact(
        List.of(),
        view -> {
          for (int i = 0; i < 10; i++) {
            view.put(numbered(i), new byte[] {(byte) i});
          }
          return true;
        });
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void codeOfCallersRunsOnWorkersOnly() {
    Set<String> names = ConcurrentHashMap.newKeySet();
    // Begun on a worker, so that no answer can be there before the continuation is registered.
    await(
        onWorker(
            () ->
                engine
                    .transact(
                        partition,
                        List.of(numbered(1)),
                        deadline(),
                        view -> {
                          names.add("body " + Thread.currentThread().getName());
                          return view.read(numbered(1)) != null && view.read(numbered(2)) != null;
                        })
                    .thenApply(
                        done -> names.add("after transact " + Thread.currentThread().getName()))));
    await(
        onWorker(
            () ->
                engine
                    .read(partition.row(numbered(1)), deadline())
                    .thenApply(
                        value -> names.add("after read " + Thread.currentThread().getName()))));
    await(
        onWorker(
            () ->
                engine
                    .scan(
                        partition.space(),
                        List.of(KeyRange.ALL),
                        Direction.FORWARD,
                        deadline(),
                        record -> {
                          names.add("visitor " + Thread.currentThread().getName());
                          return Visit.CONTINUE;
                        })
                    .thenApply(
                        end -> names.add("after scan " + Thread.currentThread().getName()))));
    assertThat(names)
        .allMatch(name -> name.contains(" " + EngineThreads.WORKER))
        .anyMatch(name -> name.startsWith("visitor"))
        .anyMatch(name -> name.startsWith("body"));
  }

  private <T> CompletableFuture<T> onWorker(Step<T> step) {
    CompletableFuture<Boolean> registered = new CompletableFuture<>();
    CompletableFuture<T> end =
        engine
            .transact(partition, List.of(), deadline(), view -> registered.join())
            .thenCompose(done -> step.begin());
    registered.complete(true);
    return end;
  }

  private interface Step<T> {
    CompletableFuture<T> begin();
  }

  @Test
  void aBodyRunsAgainForEachRowThatWasNotFetched() {
    AtomicInteger runs = new AtomicInteger();
    List<Integer> attempts = new ArrayList<>();
    TransactionBody<Integer> body =
        view -> {
          runs.incrementAndGet();
          attempts.add(view.attempt());
          return view.read(numbered(3))[0] + view.read(numbered(4))[0];
        };
    assertThat(transact(List.of(), body)).isEqualTo(7);
    assertThat(runs).as("two stops").hasValue(3);
    assertThat(attempts).as("a stop is not a conflict").containsOnly(1);
    runs.set(0);
    assertThat(transact(List.of(numbered(3), numbered(4)), body)).isEqualTo(7);
    assertThat(runs).as("everything was touched").hasValue(1);
  }

  @Test
  void aScanWhoseEndIsAClockIsFetchedOnce() {
    AtomicInteger runs = new AtomicInteger();
    List<Bytes> seen = new ArrayList<>();
    transact(
        List.of(),
        view -> {
          seen.clear();
          view.scan(
              numbered(2), numbered(5 + runs.incrementAndGet()), 100, (row, v) -> seen.add(row));
          return true;
        });
    assertThat(runs).hasValue(2);
    assertThat(seen).containsExactly(numbered(2), numbered(3), numbered(4), numbered(5));
  }

  @Test
  void aRowWhoseKeyIsATimestampIsFetchedOnce() {
    AtomicInteger runs = new AtomicInteger();
    boolean free =
        transact(
            List.of(),
            view -> {
              runs.incrementAndGet();
              long ticks = view.timestamp(numbered(1));
              return view.read(bytes("t" + ticks)) == null;
            });
    assertThat(free).isTrue();
    assertThat(runs).as("the row, then the key").hasValue(3);
  }

  @Test
  void aBodyThatCatchesTheStopRunsAgainAnyway() {
    assertThat(transact(List.of(), EngineThreadsIT::catchEverything)).isEqualTo("found");
  }

  private static String catchEverything(PartitionView view) {
    try {
      return view.read(numbered(1)) == null ? "nothing" : "found";
    } catch (RuntimeException e) {
      view.put(numbered(99), new byte[0]);
      return "stopped";
    }
  }

  @Test
  void aBodyThatNeverHasEnoughFails() {
    AtomicInteger runs = new AtomicInteger();
    assertThatThrownBy(
            () -> transact(List.of(), view -> view.read(numbered(runs.incrementAndGet() + 1_000))))
        .isInstanceOfSatisfying(
            StorageException.class,
            e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.UNAVAILABLE))
        .hasMessageContaining("one after another");
  }

  private <R> R transact(List<Bytes> touch, TransactionBody<R> body) {
    return await(engine.transact(partition, touch, deadline(), body));
  }

  private static Deadline deadline() {
    return Deadline.after(Duration.ofSeconds(30));
  }
}
