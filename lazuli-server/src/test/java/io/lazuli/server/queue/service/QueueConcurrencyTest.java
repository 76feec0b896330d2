package io.lazuli.server.queue.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.server.queue.model.QueueMessage;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Ticks;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueueConcurrencyTest {
  private static final String QUEUE = "work";
  private static final int CONSUMERS = 16;
  private static final int PRODUCERS = 4;
  private static final int MESSAGES_PER_PRODUCER = 1_000;

  /** Producers put messages while consumers take, hide, return and delete them. */
  @ParameterizedTest
  @ValueSource(strings = {"memory", "rocksdb"})
  void sixteenConsumersNeverShareAMessageAndLoseNone(String name, @TempDir Path folder)
      throws Exception {
    try (StorageEngine engine = QueueUnderTest.open(name, folder, Ticks::systemNow)) {
      QueueUnderTest queues = new QueueUnderTest(engine);
      queues.create(QUEUE);
      Map<String, Integer> deliveries = new ConcurrentHashMap<>();
      Map<String, Boolean> held = new ConcurrentHashMap<>();
      AtomicInteger left = new AtomicInteger(PRODUCERS * MESSAGES_PER_PRODUCER);
      List<Runnable> workers = new ArrayList<>();
      for (int i = 0; i < PRODUCERS; i++) {
        int producer = i;
        workers.add(() -> produce(queues, producer));
      }
      for (int i = 0; i < CONSUMERS; i++) {
        int batch = 1 + i % 3;
        workers.add(() -> consume(queues, batch, left, deliveries, held));
      }
      runAll(workers);
      assertThat(deliveries).hasSize(PRODUCERS * MESSAGES_PER_PRODUCER);
      assertThat(held).isEmpty();
      assertThat(queues.count(QUEUE)).isZero();
      assertThat(queues.get(QUEUE, 32, 1)).isEmpty();
    }
  }

  private static void produce(QueueUnderTest queues, int producer) {
    for (int i = 0; i < MESSAGES_PER_PRODUCER; i++) {
      queues.put(QUEUE, producer + "-" + i, i % 2 == 0 ? -1 : 3_600, 0);
    }
  }

  /** Returns every seventh message the first time; it must be handed out again. */
  private static void consume(
      QueueUnderTest queues,
      int batch,
      AtomicInteger left,
      Map<String, Integer> deliveries,
      Map<String, Boolean> held) {
    while (left.get() > 0) {
      for (QueueMessage message : queues.get(QUEUE, batch, 3_600)) {
        String text = new String(message.text(), StandardCharsets.UTF_8);
        assertThat(held.put(text, true)).as("%s is held by somebody else", text).isNull();
        assertThat(message.dequeueCount()).isEqualTo(deliveries.merge(text, 1, Integer::sum));
        boolean giveBack = message.dequeueCount() == 1 && text.hashCode() % 7 == 0;
        held.remove(text);
        if (giveBack) {
          queues.update(QUEUE, message, 0, null);
        } else {
          queues.delete(QUEUE, message);
          left.decrementAndGet();
        }
      }
    }
  }

  private static void runAll(List<Runnable> workers) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(workers.size());
    try {
      List<Future<?>> running = new ArrayList<>();
      workers.forEach(worker -> running.add(threads.submit(worker)));
      for (Future<?> worker : running) {
        worker.get(4, TimeUnit.MINUTES);
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
