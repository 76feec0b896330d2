package io.lazuli.benchmarks.scenario;

import io.lazuli.benchmarks.load.Exchange;
import io.lazuli.benchmarks.load.Load;
import io.lazuli.benchmarks.load.LoadResult;
import io.lazuli.benchmarks.load.Script;
import io.lazuli.benchmarks.protocol.Cycle;
import io.lazuli.benchmarks.protocol.QueuePairs;
import io.lazuli.benchmarks.protocol.QueueRequests;
import io.lazuli.benchmarks.report.Sample;
import io.lazuli.benchmarks.server.ServerProcess;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/** A queue of one server and its number of messages. Mutable; owned by the main thread. */
final class MeasuredQueue {
  private static final int FILLING_CONNECTIONS = 64;

  private final ServerProcess server;
  private final String name;
  private long messages;

  private MeasuredQueue(ServerProcess server, String name) {
    this.server = server;
    this.name = name;
  }

  static MeasuredQueue create(ServerProcess server, String name) throws IOException {
    Exchange.require(server.address(), QueueRequests.signedNow(server.endpoint()).create(name));
    return new MeasuredQueue(server, name);
  }

  /** Puts messages for some time. */
  Sample put(int connections, long nanos) throws IOException {
    return Sample.of(put(connections, within(nanos)), 1);
  }

  /** Puts messages, unmeasured, until the queue has this many. */
  void fillTo(long wanted) throws IOException {
    AtomicLong left = new AtomicLong(wanted - messages);
    put(FILLING_CONNECTIONS, () -> left.getAndDecrement() > 0);
  }

  private LoadResult put(int connections, BooleanSupplier more) throws IOException {
    QueueRequests requests = QueueRequests.signedNow(server.endpoint());
    LoadResult result = run(Cycle.of(connections, 1, () -> requests.put(name)), more);
    messages += result.requests();
    return result;
  }

  /** Gets and deletes messages for some time; a request of the sample is one such pair. */
  Sample getAndDelete(int connections, long nanos) throws IOException {
    return getAndDelete(connections, within(nanos));
  }

  /** Gets and deletes this many messages. */
  Sample getAndDeleteAll(int connections, long count) throws IOException {
    AtomicLong left = new AtomicLong(count);
    return getAndDelete(connections, () -> left.getAndDecrement() > 0);
  }

  private Sample getAndDelete(int connections, BooleanSupplier more) throws IOException {
    AtomicLong deleted = new AtomicLong();
    QueueRequests requests = QueueRequests.signedNow(server.endpoint());
    LoadResult result = run(QueuePairs.of(connections, requests, name, more, deleted), () -> true);
    messages -= deleted.get();
    return Sample.of(result, deleted.get(), 1);
  }

  private LoadResult run(List<? extends Script> scripts, BooleanSupplier more) throws IOException {
    return Load.run(server.address(), scripts, server::cpuNanos, more).requireNoErrors();
  }

  private static BooleanSupplier within(long nanos) {
    long start = System.nanoTime();
    return () -> System.nanoTime() - start < nanos;
  }
}
