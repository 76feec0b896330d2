package io.lazuli.storage.hbase.call;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.storage.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The calls of one kind to one region server. A bounded number of batches is under way, fewer if
 * the region server is overloaded ({@link CallLimit}); the other calls wait, a bounded number too.
 * A call goes out immediately while few rows are under way. Otherwise the calls that have gathered
 * go out together when a batch ends, when they fill one, or when they have waited for a while.
 * Thread-safe.
 */
final class CallLane {
  /**
   * The bounds of a lane.
   *
   * @param sent the number of batches that are under way at the same time
   * @param queued the number of calls that wait; one more fails with {@code UNAVAILABLE}
   * @param rows the number of rows in a batch; 1 if each call goes alone
   */
  record Bounds(int sent, int queued, int rows) {}

  /**
   * The number of rows that are under way before calls begin to gather. With one, a slow row would
   * delay all others.
   */
  static final int FEW = 4;

  /** The calls that have gathered for this long go out with the next one that comes. */
  static final Duration GATHER_TIME = Duration.ofMillis(5);

  /** A server reads the rows of a batch one after another, so slow rows go in small batches. */
  static final Duration BATCH_TIME = Duration.ofMillis(50);

  static final long BATCH_BYTES = 1 << 20;

  /**
   * While the region server is overloaded, calls wait for this long at most. They would otherwise
   * be sent when little of their time is left, and be answered too late.
   */
  static final Duration WAIT_OVERLOADED_MAX = Duration.ofSeconds(3);

  private static final int FIRST_ROWS = 16;

  private final String server;
  private final Bounds bounds;
  private final EngineThreads threads;

  /** The calls that are under way, and the batch to which each belongs. */
  @GuardedBy("this")
  private final Map<ServerCall<?>, Batch> sent = new HashMap<>();

  /** In the order in which they came. */
  @GuardedBy("this")
  private final Set<ServerCall<?>> queue = new LinkedHashSet<>();

  @GuardedBy("this")
  private final CallLimit limit;

  @GuardedBy("this")
  private int batches;

  /** The number of rows that the batches under way read. */
  @GuardedBy("this")
  private int rowsSent;

  /** The number of rows that the next batch may have. */
  @GuardedBy("this")
  private int rowsMax;

  @GuardedBy("this")
  private boolean closed;

  /** Calls that share one remote call. */
  private static final class Batch {
    private int left;
    private int rows;
    private long bytes;
  }

  CallLane(String server, Bounds bounds, EngineThreads threads) {
    this.server = server;
    this.bounds = bounds;
    this.threads = threads;
    this.rowsMax = Math.min(FIRST_ROWS, bounds.rows);
    // A lane in which nothing may wait cannot send less.
    this.limit = new CallLimit(bounds.sent, bounds.queued == 0);
  }

  /** Sends a call, or lets it wait for its turn. Its future fails if too many wait. */
  void submit(ServerCall<?> call) {
    StorageException refusal = null;
    List<ServerCall<?>> batch = List.of();
    synchronized (this) {
      if (closed) {
        refusal = closed();
      } else {
        queue.add(call);
        batch = next();
        if (batch.isEmpty() && queue.size() > bounds.queued) {
          queue.remove(call);
          refusal = unavailable("too many calls wait for region server " + server);
        }
      }
    }
    if (refusal != null) {
      call.fail(refusal);
    } else {
      send(batch);
    }
  }

  /** Ends a call that was sent. If it is the last of its batch, sends the next batch. */
  void release(ServerCall<?> ended) {
    send(end(ended));
  }

  /** A loop, because calls that fail immediately would otherwise fill the stack. */
  private void send(List<ServerCall<?>> first) {
    List<ServerCall<?>> batch = first;
    while (!batch.isEmpty()) {
      List<ServerCall<?>> next = List.of();
      for (ServerCall<?> failed : ServerCall.send(batch)) {
        next = end(failed);
      }
      batch = next;
    }
  }

  /** Returns the batch to send now; empty if the ended call was not the last of its batch. */
  private synchronized List<ServerCall<?>> end(ServerCall<?> ended) {
    Batch batch = sent.remove(ended);
    if (batch == null) {
      return List.of();
    }
    limit.ended(ended.outcome(), ended.sentNanos(), ended.nowNanos(), batches, !queue.isEmpty());
    batch.bytes += ended.answerBytes();
    batch.left--;
    if (batch.left > 0) {
      return List.of();
    }
    batches--;
    rowsSent -= batch.rows;
    boolean heavy = batch.bytes > BATCH_BYTES || ended.ageNanos() > BATCH_TIME.toNanos();
    rowsMax = heavy ? Math.max(1, rowsMax / 2) : Math.min(bounds.rows, rowsMax + 1);
    return next();
  }

  /** Takes the batch that may be sent now from the queue. */
  @GuardedBy("this")
  private List<ServerCall<?>> next() {
    return rowsSent < FEW || queue.size() >= rowsMax || hasGathered(GATHER_TIME)
        ? take()
        : List.of();
  }

  /** Returns true if a call has waited for some time. */
  @GuardedBy("this")
  private boolean hasGathered(Duration time) {
    return !queue.isEmpty() && queue.iterator().next().waitNanos() >= time.toNanos();
  }

  /**
   * Takes the calls that have gathered for too long. The calls under way are slow, which says
   * nothing about the rows of the others.
   */
  private synchronized List<ServerCall<?>> overdue() {
    if (!hasGathered(BATCH_TIME)) {
      return List.of();
    }
    rowsMax = Math.max(1, rowsMax / 2);
    return take();
  }

  @GuardedBy("this")
  private List<ServerCall<?>> take() {
    if (queue.isEmpty() || batches >= limit.now()) {
      return List.of();
    }
    Batch batch = new Batch();
    List<ServerCall<?>> taken = new ArrayList<>();
    int rows = 0;
    for (Iterator<ServerCall<?>> calls = queue.iterator(); calls.hasNext() && rows < rowsMax; ) {
      ServerCall<?> call = calls.next();
      if (taken.isEmpty() || (call.joins(taken.get(0)) && rows + call.rows() <= rowsMax)) {
        calls.remove();
        taken.add(call);
        sent.put(call, batch);
        rows += call.rows();
      }
    }
    batch.left = taken.size();
    batch.rows = rows;
    rowsSent += rows;
    batches++;
    return taken;
  }

  /**
   * Fails the calls whose time is up, and sends those that have gathered for too long.
   *
   * @param reroute true to also fail the waiting calls whose region has moved to another server
   */
  void sweep(boolean reroute) {
    for (ServerCall<?> call : queued()) {
      if (call.isLate()) {
        takeBack(call, unavailable("region server " + server + " does not answer"));
      } else if (waitsTooLong(call)) {
        takeBack(call, unavailable("region server " + server + " is overloaded"));
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
    sendOverdue();
  }

  /** A single fall of the limit does not count: the region server may just have been paused. */
  private synchronized boolean waitsTooLong(ServerCall<?> call) {
    return call.waitNanos() > WAIT_OVERLOADED_MAX.toNanos()
        && limit.overloadedFor(call.nowNanos()).compareTo(WAIT_OVERLOADED_MAX) > 0;
  }

  /** Returns the number of batches that may be under way now. */
  synchronized int limit() {
    return limit.now();
  }

  /** Returns true if the limit has fallen lately. */
  synchronized boolean isOverloaded(long nowNanos) {
    return limit.isOverloaded(nowNanos);
  }

  /** Returns for how long the region server has been overloaded. */
  synchronized Duration overloadedFor(long nowNanos) {
    return limit.overloadedFor(nowNanos);
  }

  private void sendOverdue() {
    List<ServerCall<?>> batch = overdue();
    if (!batch.isEmpty()) {
      threads.execute(() -> send(batch));
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
      all.addAll(sent.keySet());
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
    return List.copyOf(sent.keySet());
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
