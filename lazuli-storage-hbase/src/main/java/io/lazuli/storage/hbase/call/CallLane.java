package io.lazuli.storage.hbase.call;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.storage.StorageException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one kind to one region server. A bounded number of them is under way; the others
 * wait, a bounded number too. Thread-safe.
 */
final class CallLane {
  /**
   * The bounds of a lane.
   *
   * @param sent the number of calls that are under way at the same time
   * @param queued the number of calls that wait; one more fails with {@code UNAVAILABLE}
   */
  record Bounds(int sent, int queued) {}

  private final String server;
  private final Bounds bounds;
  private final EngineThreads threads;

  @GuardedBy("this")
  private final Set<ServerCall<?>> sent = new HashSet<>();

  /** In the order in which they came. */
  @GuardedBy("this")
  private final Set<ServerCall<?>> queue = new LinkedHashSet<>();

  @GuardedBy("this")
  private boolean closed;

  CallLane(String server, Bounds bounds, EngineThreads threads) {
    this.server = server;
    this.bounds = bounds;
    this.threads = threads;
  }

  /** Sends a call, or lets it wait for its turn. Its future fails if too many wait. */
  void submit(ServerCall<?> call) {
    StorageException refusal = null;
    boolean send = false;
    synchronized (this) {
      if (closed) {
        refusal = closed();
      } else if (queue.isEmpty() && sent.size() < bounds.sent) {
        send = sent.add(call);
      } else if (queue.size() < bounds.queued) {
        queue.add(call);
      } else {
        refusal = unavailable("too many calls wait for region server " + server);
      }
    }
    if (refusal != null) {
      call.fail(refusal);
    } else if (send && !call.send()) {
      release(call);
    }
  }

  /** Ends a call that was sent, and sends the next one. */
  void release(ServerCall<?> ended) {
    ServerCall<?> next = next(ended);
    while (next != null && !next.send()) {
      next = next(next);
    }
  }

  private synchronized @Nullable ServerCall<?> next(ServerCall<?> ended) {
    if (!sent.remove(ended) || queue.isEmpty()) {
      return null;
    }
    ServerCall<?> first = queue.iterator().next();
    queue.remove(first);
    sent.add(first);
    return first;
  }

  /**
   * Fails the calls whose time is up.
   *
   * @param reroute true to also fail the waiting calls whose region has moved to another server
   */
  void sweep(boolean reroute) {
    for (ServerCall<?> call : queued()) {
      if (call.isLate()) {
        takeBack(call, unavailable("region server " + server + " does not answer"));
      } else if (reroute && call.hasMoved()) {
        takeBack(call, CallFailure.moved());
      }
    }
    for (ServerCall<?> call : sent()) {
      if (call.isLost()) {
        threads.execute(() -> release(call));
      }
      if (call.isLost() || call.endsNow()) {
        threads.execute(() -> call.giveUp());
      }
    }
  }

  private void takeBack(ServerCall<?> call, Exception failure) {
    if (unqueue(call)) {
      threads.execute(() -> call.fail(failure));
    }
  }

  /** Fails all calls, and every later one. */
  void close() {
    List<ServerCall<?>> all = new ArrayList<>();
    synchronized (this) {
      closed = true;
      all.addAll(sent);
      all.addAll(queue);
      sent.clear();
      queue.clear();
    }
    all.forEach(call -> threads.execute(() -> call.fail(closed())));
  }

  synchronized int sentCount() {
    return sent.size();
  }

  synchronized int queuedCount() {
    return queue.size();
  }

  private synchronized List<ServerCall<?>> queued() {
    return List.copyOf(queue);
  }

  private synchronized List<ServerCall<?>> sent() {
    return List.copyOf(sent);
  }

  private synchronized boolean unqueue(ServerCall<?> call) {
    return queue.remove(call);
  }

  static StorageException closed() {
    return new StorageException(StorageException.Kind.CLOSED, "the engine is closed");
  }

  static StorageException unavailable(String message) {
    return new StorageException(StorageException.Kind.UNAVAILABLE, message);
  }
}
