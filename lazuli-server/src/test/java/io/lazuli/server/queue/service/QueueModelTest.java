package io.lazuli.server.queue.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.error.ServiceException;
import io.lazuli.server.queue.model.QueueErrors;
import io.lazuli.server.queue.model.QueueMessage;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Ticks;
import io.lazuli.storage.contract.ManualClock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs random operations on several queues against a simple model of queue-rest 1. The test moves
 * the clock. From time to time the service loses its hints, and on RocksDB the store is opened
 * again. A shared engine has one server here.
 */
class QueueModelTest {
  private static final String[] NAMES = {"one", "two", "three"};

  /** The order in which the service hands out messages. */
  private static final Comparator<QueueMessage> ORDER =
      Comparator.comparingLong(QueueMessage::visibleAt)
          .thenComparingLong(QueueMessage::inserted)
          .thenComparing(message -> message.id().toString());

  private final ManualClock clock = new ManualClock();
  private final Map<String, Map<UUID, QueueMessage>> model = new HashMap<>();

  /** Every state of a message that was ever returned, for each queue. */
  private final Map<String, List<QueueMessage>> told = new HashMap<>();

  private StorageEngine engine;
  private QueueUnderTest queues;
  private Random random;

  @ParameterizedTest
  @CsvSource({
    "memory,1,4000",
    "memory,2,4000",
    "memory,3,4000",
    "rocksdb,4,2500",
    "rocksdb,5,2500",
    "shared,6,4000",
    "shared,7,4000",
    "shared,8,4000"
  })
  void randomOperationsEqualTheModel(String name, long seed, int steps, @TempDir Path folder) {
    random = new Random(seed);
    open(name, folder);
    try {
      for (int step = 0; step < steps; step++) {
        if (random.nextInt(250) == 0) {
          reopen(name, folder);
        }
        // A server that shares its data may hand out messages of the same tick in another order.
        clock.move(Duration.ofNanos(100));
        step();
      }
      for (String queue : NAMES) {
        drain(queue);
      }
    } catch (AssertionError | RuntimeException e) {
      throw new AssertionError("seed " + seed, e);
    } finally {
      engine.close();
    }
  }

  private void open(String name, Path folder) {
    engine =
        name.equals("shared")
            ? new OptimisticServer(QueueUnderTest.open("memory", folder, clock))
            : QueueUnderTest.open(name, folder, clock);
    queues = new QueueUnderTest(engine);
  }

  private void reopen(String name, Path folder) {
    if (name.equals("rocksdb")) {
      engine.close();
      open(name, folder);
    } else {
      queues = new QueueUnderTest(engine);
    }
  }

  private void step() {
    String queue = NAMES[random.nextInt(NAMES.length)];
    if (!model.containsKey(queue)) {
      missing(() -> queues.get(queue, 1, 1));
      missing(() -> queues.put(queue, "a", -1, 0));
      missing(() -> queues.count(queue));
      queues.create(queue);
      model.put(queue, new HashMap<>());
      return;
    }
    int choice = random.nextInt(100);
    if (choice < 30) {
      put(queue);
    } else if (choice < 55) {
      get(queue);
    } else if (choice < 62) {
      peek(queue);
    } else if (choice < 72) {
      update(queue);
    } else if (choice < 85) {
      delete(queue);
    } else if (choice < 90) {
      assertThat(queues.count(queue)).isEqualTo(alive(queue).size());
    } else if (choice < 98) {
      clock.move(Duration.ofMillis(random.nextInt(10) == 0 ? 30_000 : random.nextInt(3_000)));
    } else if (random.nextInt(4) > 0) {
      queues.clear(queue);
      model.get(queue).clear();
    } else {
      queues.delete(queue);
      model.remove(queue);
    }
  }

  private void put(String queue) {
    int ttl = random.nextInt(4) == 0 ? -1 : 2 + random.nextInt(60);
    int invisible = random.nextInt(3) == 0 ? random.nextInt(ttl < 0 ? 20 : ttl) : 0;
    QueueMessage message = queues.put(queue, "m" + random.nextInt(), ttl, invisible);
    assertThat(message.visibleAt() - message.inserted()).isEqualTo(ticks(invisible));
    assertThat(message.expires())
        .isEqualTo(ttl < 0 ? QueueMessage.NEVER : message.inserted() + ticks(ttl));
    assertThat(message.inserted()).isBetween(clock.getAsLong(), engine.now());
    keep(queue, message);
  }

  private void get(String queue) {
    int max = 1 + random.nextInt(random.nextInt(4) == 0 ? 32 : 3);
    int invisible = 1 + random.nextInt(20);
    List<QueueMessage> expected =
        visible(queue).stream()
            .limit(max)
            .map(message -> message.handedOut(engine.now() + ticks(invisible)))
            .toList();
    List<QueueMessage> taken = queues.get(queue, max, invisible);
    assertSame(taken, expected);
    taken.forEach(message -> keep(queue, message));
  }

  private void peek(String queue) {
    int max = 1 + random.nextInt(32);
    assertSame(queues.peek(queue, max), visible(queue).stream().limit(max).toList());
  }

  private void update(String queue) {
    QueueMessage held = anyTold(queue);
    if (held == null) {
      return;
    }
    int invisible = random.nextInt(3) == 0 ? 0 : random.nextInt(20);
    String text = random.nextBoolean() ? "u" + random.nextInt() : null;
    if (isCurrent(queue, held)) {
      QueueMessage updated = queues.update(queue, held, invisible, text);
      byte[] bytes = text == null ? held.text() : text.getBytes(StandardCharsets.UTF_8);
      long visibleAt = engine.now() + ticks(invisible);
      assertSame(List.of(updated), List.of(held.updated(visibleAt, bytes)));
      keep(queue, updated);
    } else {
      notFound(() -> queues.update(queue, held, invisible, text));
    }
  }

  private void delete(String queue) {
    QueueMessage held = anyTold(queue);
    if (held == null) {
      return;
    }
    if (isCurrent(queue, held)) {
      queues.delete(queue, held);
      model.get(queue).remove(held.id());
    } else {
      notFound(() -> queues.delete(queue, held));
    }
  }

  private void drain(String queue) {
    if (!model.containsKey(queue)) {
      return;
    }
    clock.move(Duration.ofSeconds(30));
    while (!visible(queue).isEmpty()) {
      get(queue);
    }
    assertThat(queues.get(queue, 32, 1)).isEmpty();
    assertThat(queues.count(queue)).isEqualTo(alive(queue).size());
  }

  private void keep(String queue, QueueMessage message) {
    model.get(queue).put(message.id(), message);
    told.computeIfAbsent(queue, none -> new ArrayList<>()).add(message);
  }

  /** Returns a recent state more often than an old one. */
  private QueueMessage anyTold(String queue) {
    List<QueueMessage> all = told.getOrDefault(queue, List.of());
    int back = random.nextInt(random.nextBoolean() ? 4 : 100);
    return back >= all.size() ? null : all.get(all.size() - 1 - back);
  }

  private boolean isCurrent(String queue, QueueMessage held) {
    QueueMessage stored = model.get(queue).get(held.id());
    return stored != null
        && !stored.isExpired(engine.now())
        && stored.receipt().equals(held.receipt());
  }

  private List<QueueMessage> alive(String queue) {
    long now = engine.now();
    return model.get(queue).values().stream().filter(m -> !m.isExpired(now)).toList();
  }

  private List<QueueMessage> visible(String queue) {
    long now = engine.now();
    return alive(queue).stream().filter(m -> m.visibleAt() <= now).sorted(ORDER).toList();
  }

  private static void assertSame(List<QueueMessage> actual, List<QueueMessage> expected) {
    assertThat(actual).usingRecursiveFieldByFieldElementComparator().isEqualTo(expected);
  }

  private static void missing(Runnable work) {
    refused(work, QueueErrors.QUEUE_NOT_FOUND.code());
  }

  private static void notFound(Runnable work) {
    refused(work, QueueErrors.MESSAGE_NOT_FOUND.code());
  }

  private static void refused(Runnable work, String code) {
    try {
      work.run();
    } catch (ServiceException e) {
      assertThat(e.error().code()).isEqualTo(code);
      return;
    }
    throw new AssertionError("it was not refused with " + code);
  }

  private static long ticks(int seconds) {
    return seconds * Ticks.PER_SECOND;
  }
}
