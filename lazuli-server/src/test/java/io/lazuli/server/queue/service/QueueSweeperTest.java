package io.lazuli.server.queue.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.queue.model.QueueMessage;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Visit;
import io.lazuli.storage.contract.EngineFixture;
import io.lazuli.storage.contract.ManualClock;
import io.lazuli.storage.work.WorkBoard;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Expired messages are removed, a bounded number at a time, and have no effect until then. */
class QueueSweeperTest {
  private final ManualClock clock = new ManualClock();
  private final StorageEngine engine = QueueUnderTest.open("memory", Path.of("unused"), clock);
  private final Catalog catalog = new Catalog(engine);
  private final QueueUnderTest queues = new QueueUnderTest(engine);

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void aRoundEmptiesAbandonedQueues() {
    for (int i = 0; i < 205; i++) {
      queues.create("queue-" + i);
      queues.put("queue-" + i, "a", 5, 0);
    }
    QueueMessage kept = queues.put("queue-7", "kept", -1, 0);
    clock.move(Duration.ofSeconds(10));
    try (QueueSweeper sweeper = sweeper()) {
      int pieces = 0;
      for (int shard = 0; shard < 4; shard++) {
        Bytes next = Bytes.EMPTY;
        while (next != null) {
          next = sweeper.sweep(shard, next);
          pieces++;
        }
      }
      assertThat(pieces).isGreaterThanOrEqualTo(4);
    }
    for (int i = 0; i < 205; i++) {
      // The kept message has its record, its row at its time and its count; the count of the other
      // may be zero.
      assertThat(rows("queue-" + i)).isBetween(i == 7 ? 3 : 1, i == 7 ? 4 : 1);
    }
    assertThat(queues.peek("queue-7", 32)).extracting(QueueMessage::id).containsExactly(kept.id());
  }

  @Test
  void aRoundWithoutQueuesIsOver() {
    try (QueueSweeper sweeper = sweeper()) {
      assertThat(sweeper.sweep(0, Bytes.EMPTY)).isNull();
    }
  }

  private QueueSweeper sweeper() {
    return new QueueSweeper(
        catalog, queues.service(), new WorkBoard(engine, "test", (line, failure) -> {}));
  }

  @Test
  void expiredMessagesInFrontHideNothing() {
    queues.create("work");
    for (int i = 0; i < 500; i++) {
      queues.put("work", "gone", 5, 0);
    }
    QueueMessage kept = queues.put("work", "kept", -1, 0);
    clock.move(Duration.ofSeconds(10));
    assertThat(queues.peek("work", 1)).extracting(QueueMessage::id).containsExactly(kept.id());
    assertThat(queues.get("work", 1, 1)).extracting(QueueMessage::id).containsExactly(kept.id());
    assertThat(queues.count("work")).isEqualTo(1);
  }

  @Test
  void aCountIsExactBeforeAllThatHasExpiredIsGone() {
    queues.create("work");
    for (int i = 0; i < 1_200; i++) {
      queues.put("work", "gone", 5, 0);
    }
    queues.put("work", "kept", -1, 0);
    clock.move(Duration.ofSeconds(10));
    assertThat(queues.count("work")).isEqualTo(1);
    assertThat(rows("work")).isGreaterThan(500);
  }

  private int rows(String queue) {
    int[] rows = new int[1];
    Deadline deadline = Deadline.after(Duration.ofSeconds(30));
    EngineFixture.await(
        engine.scan(
            Objects.requireNonNull(
                    catalog.find(ServiceHome.ofQueues("acct"), queue, deadline).join())
                .space(),
            List.of(KeyRange.ALL),
            Direction.FORWARD,
            deadline,
            record -> {
              rows[0]++;
              return Visit.CONTINUE;
            }));
    return rows[0];
  }
}
