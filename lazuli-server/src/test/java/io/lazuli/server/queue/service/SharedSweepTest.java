package io.lazuli.server.queue.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.throttle.RateTargets;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.contract.ManualClock;
import io.lazuli.storage.faults.ForwardingEngine;
import io.lazuli.storage.work.WorkBoard;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two servers on one store: each queue is visited by one of them, also after the other died. */
class SharedSweepTest {
  private static final int QUEUES = 60;

  private final ManualClock clock = new ManualClock();
  private final StorageEngine engine = QueueUnderTest.open("memory", Path.of("unused"), clock);
  private long nanos;

  @BeforeEach
  void createQueues() {
    QueueUnderTest queues = new QueueUnderTest(engine);
    for (int i = 0; i < QUEUES; i++) {
      queues.create("queue-" + i);
    }
  }

  @AfterEach
  void close() {
    engine.close();
  }

  /** A server, and the queues that it has visited. */
  private final class Server extends ForwardingEngine {
    private final Set<Long> visited = new HashSet<>();
    private final WorkBoard board;
    private final QueueSweeper sweeper;

    Server(String name) {
      super(SharedSweepTest.this.engine);
      Catalog catalog = new Catalog(this);
      board = new WorkBoard(this, name, (line, failure) -> {}, () -> nanos);
      sweeper =
          new QueueSweeper(
              catalog,
              new QueueService(
                  this,
                  catalog,
                  UUID::randomUUID,
                  new RateTargets<>(0, 100, CommonErrors.SERVER_BUSY, () -> 0)),
              board);
    }

    @Override
    public boolean isShared() {
      return true;
    }

    @Override
    public CompletableFuture<@Nullable Void> scan(
        Space space,
        List<KeyRange> ranges,
        Direction direction,
        Deadline deadline,
        RecordVisitor visitor) {
      if (space.kind() == SpaceKind.QUEUE) {
        visited.add(space.number());
      }
      return super.scan(space, ranges, direction, deadline, visitor);
    }

    /** Does all that is due. */
    void sweep() throws Exception {
      for (int i = 0; i < 20; i++) {
        Duration unused = sweeper.step();
      }
    }
  }

  private void beat(Server... servers) {
    for (Server server : servers) {
      Duration unused = server.board.beat();
    }
    nanos += Duration.ofSeconds(5).toNanos();
  }

  private void nextRound(Server... servers) throws Exception {
    clock.move(Duration.ofMinutes(2));
    for (Server server : servers) {
      server.visited.clear();
      server.sweep();
    }
  }

  @Test
  void eachQueueIsVisitedByOneServer() throws Exception {
    Server one = new Server("one");
    Server two = new Server("two");
    beat(one, two);
    beat(one, two);
    beat(one, two);
    nextRound(one, two);
    assertThat(one.visited).isNotEmpty().doesNotContainAnyElementsOf(two.visited);
    assertThat(two.visited).isNotEmpty();
    assertThat(one.visited.size() + two.visited.size()).isEqualTo(QUEUES);
    // One of them dies. It beats no more, and the other one has its shards within 20 seconds.
    for (int i = 0; i < 4; i++) {
      beat(two);
    }
    nextRound(one, two);
    assertThat(one.visited).as("it wakes up and finds that it is late").isEmpty();
    assertThat(two.visited).hasSize(QUEUES);
  }
}
