package io.lazuli.storage.hbase.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterSpec;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.history.Operation;
import io.lazuli.storage.history.Operation.Kind;
import io.lazuli.storage.history.Operation.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A space that was dropped through one server is gone for all servers, whatever they had cached.
 */
@Tag("long")
final class DropHistoryIT {
  private static final Duration PAUSE =
      Duration.ofSeconds(Integer.getInteger("lazuli.pause.seconds", 60));

  private static final int ROUNDS = 10;
  private static final int ROUNDS_OF_PROCESSES = 5;

  private final Random random = new Random();

  private static Cluster cluster;
  private static StorageEngine engine;

  @BeforeAll
  static void start() {
    cluster = Cluster.start(ClusterSpec.inOneProcess());
    engine = EngineServer.open(cluster.clientConfig());
  }

  @AfterAll
  static void end() {
    engine.close();
    cluster.close();
  }

  @Test
  void aServerThatWasPausedWritesNothingToADroppedSpace() {
    Store store = Store.create(engine);
    Load load = new Load(new Random().nextLong());
    long dropped;
    try (ServerProcess server = ServerProcess.start(cluster.clientConfig(), store)) {
      load.add(server, 4, 2);
      FaultRun.pass(Duration.ofSeconds(3));
      Process pause = server.pauseStarting(PAUSE);
      dropped = drop(store);
      CompletableFuture<Server.Answer> asked =
          server.send(new Server.Request(Kind.WRITE, "c00", 0));
      pause.onExit().join();
      assertThat(asked.join().outcome()).isEqualTo(Outcome.FAILED);
      FaultRun.pass(Duration.ofSeconds(3));
      load.close();
    }
    judge("drop while a server was paused for " + PAUSE.toSeconds() + " s", load, dropped);
  }

  @Test
  void aServerThatIsBusyWritesNothingToADroppedSpace() {
    try (StorageEngine other = EngineServer.open(cluster.clientConfig())) {
      for (int round = 1; round <= ROUNDS; round++) {
        Store store = Store.create(engine);
        Load load = new Load(new Random().nextLong());
        load.add(new EngineServer(other, store), 4, 2);
        FaultRun.pass(Duration.ofMillis(500));
        long dropped = drop(store);
        FaultRun.pass(Duration.ofMillis(200));
        load.close();
        judge("drop under load, round " + round, load, dropped);
      }
    }
  }

  /** The pauses are longer than a lease, and begin anywhere between a request and its answer. */
  @Test
  void aServerThatIsPausedAgainAndAgainAnswersForNoDroppedSpace() {
    for (int round = 1; round <= ROUNDS_OF_PROCESSES; round++) {
      Store store = Store.create(engine);
      Load load = new Load(random.nextLong());
      long dropped;
      try (ServerProcess server = ServerProcess.start(cluster.clientConfig(), store)) {
        load.add(server, 4, 2);
        load.add(new EngineServer(engine, store), 1, 1);
        FaultRun.pass(Duration.ofSeconds(1));
        CompletableFuture<Long> drop = CompletableFuture.supplyAsync(() -> drop(store));
        do {
          server.pause(Duration.ofMillis(100 + random.nextInt(400)));
          FaultRun.pass(Duration.ofMillis(1 + random.nextInt(100)));
        } while (!drop.isDone());
        dropped = drop.join();
        FaultRun.pass(Duration.ofSeconds(1));
        load.close();
      }
      judge("drop while a server is paused again and again, round " + round, load, dropped);
    }
  }

  @Test
  void aServerThatDiesWhileItDropsHasDroppedTheSpaceOrNot() {
    for (int round = 1; round <= ROUNDS_OF_PROCESSES; round++) {
      Store store = Store.create(engine);
      Load load = new Load(random.nextLong());
      load.add(new EngineServer(engine, store), 4, 2);
      try (ServerProcess server = ServerProcess.start(cluster.clientConfig(), store)) {
        CompletableFuture<Server.Answer> asked = server.send(Server.DROP);
        FaultRun.pass(Duration.ofMillis(1 + random.nextInt(200)));
        server.kill();
        System.out.printf("the drop of the killed server: %s%n", asked.join().outcome());
      }
      FaultRun.pass(Duration.ofMillis(500));
      long dropped = drop(store);
      FaultRun.pass(Duration.ofMillis(200));
      load.close();
      judge("drop by a server that is killed, round " + round, load, dropped);
    }
  }

  /** Drops a store and returns the time of the acknowledgement. */
  private static long drop(Store store) {
    engine
        .transact(
            store.space().requireHome(),
            List.of(),
            Deadline.after(Duration.ofMinutes(1)),
            view -> {
              view.drop(store.space());
              return true;
            })
        .join();
    return System.nanoTime();
  }

  /** Nothing but the drop makes a request fail, so no request may succeed after one that failed. */
  private static List<Operation> afterTheFirstFailure(List<Operation> operations) {
    OptionalLong failed =
        operations.stream()
            .filter(each -> each.outcome() == Outcome.FAILED)
            .mapToLong(Operation::end)
            .min();
    return operations.stream()
        .filter(Operation::isAcknowledged)
        .filter(each -> failed.isPresent() && each.start() > failed.getAsLong())
        .toList();
  }

  private static void judge(String name, Load load, long dropped) {
    List<Operation> late =
        load.operations().stream().filter(each -> each.start() - dropped > 0).toList();
    List<Operation> wrong =
        late.stream().filter(each -> each.outcome() == Outcome.ACKNOWLEDGED).toList();
    long before = load.operations().stream().filter(Operation::isAcknowledged).count();
    System.out.printf(
        "%s: %d operations, %d acknowledged, %d begun after the drop, %d of them acknowledged%n",
        name, load.operations().size(), before, late.size(), wrong.size());
    assertThat(before).isPositive();
    assertThat(late).isNotEmpty();
    assertThat(wrong).isEmpty();
    assertThat(afterTheFirstFailure(load.operations())).isEmpty();
  }
}
