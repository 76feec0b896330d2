package io.lazuli.storage.hbase.history;

import io.lazuli.storage.history.History;
import io.lazuli.storage.history.Operation;
import io.lazuli.storage.history.Operation.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Clients that send one request after another to servers, and record requests and answers. */
final class Load implements AutoCloseable {
  /** Long enough for another write to come in between. */
  private static final Duration PAUSE = Duration.ofMillis(3);

  /** One of this many reads of a reader is a scan of everything. */
  private static final int READS_PER_LONG_SCAN = 20;

  private final Queue<Operation> operations = new ConcurrentLinkedQueue<>();
  private final List<Thread> clients = new ArrayList<>();
  private final Random seeds;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private volatile boolean stopped;

  Load(long seed) {
    this.seeds = new Random(seed);
  }

  /** Adds clients of a server. */
  void add(Server server, int writers, int readers) {
    for (int i = 0; i < writers + readers; i++) {
      boolean writes = i < writers;
      Random random = new Random(seeds.nextLong());
      Thread client = new Thread(() -> work(server, writes, random), "client-" + clients.size());
      client.setDaemon(true);
      clients.add(client);
      client.start();
    }
  }

  private void work(Server server, boolean writes, Random random) {
    try {
      while (!stopped && !server.isGone()) {
        record(server, writes ? write(random) : read(random));
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    } catch (RuntimeException | Error e) {
      failure.compareAndSet(null, e);
    }
  }

  private static Server.Request write(Random random) {
    return new Server.Request(Kind.WRITE, any(Store.WRITTEN, random), 0);
  }

  private static Server.Request read(Random random) {
    if (random.nextInt(READS_PER_LONG_SCAN) == 0) {
      return new Server.Request(Kind.SCAN, History.EVERYTHING, 0);
    }
    String target = any(Store.WRITTEN, random);
    int row = random.nextInt(Store.rows(target).size());
    return new Server.Request(random.nextBoolean() ? Kind.READ : Kind.SCAN, target, row);
  }

  private static String any(List<String> names, Random random) {
    return names.get(random.nextInt(names.size()));
  }

  /** Sends a request and records it. */
  Server.Answer record(Server server, Server.Request request) {
    long start = System.nanoTime();
    Server.Answer answer = server.ask(request);
    operations.add(
        new Operation(
            request.kind(),
            request.target(),
            start,
            System.nanoTime(),
            answer.outcome(),
            answer.seen()));
    return answer;
  }

  /** Returns true if every partition was written by an operation that began after that time. */
  boolean allWrittenSince(long nanos) {
    return operations.stream()
            .filter(each -> each.isWrite() && each.isAcknowledged() && each.start() - nanos > 0)
            .map(Operation::target)
            .distinct()
            .count()
        == Store.WRITTEN.size();
  }

  long acknowledged() {
    return operations.stream().filter(Operation::isAcknowledged).count();
  }

  List<Operation> operations() {
    return List.copyOf(operations);
  }

  /** Lets the clients finish, and throws the exception of a client that failed. */
  @Override
  public void close() {
    stopped = true;
    for (Thread client : clients) {
      try {
        client.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
    Throwable thrown = failure.get();
    if (thrown != null) {
      throw new AssertionError("a client could not go on", thrown);
    }
  }
}
