package io.lazuli.server.queue.service;

import io.lazuli.server.queue.encoding.QueueRows;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.TransactionBody;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs the transactions of shared queues. While one of a queue is under way, the others of this
 * server gather, and then run together as one: their bodies run one after another on the same view,
 * and are committed at once. So the transactions of one server never conflict with each other, and
 * many share the calls of one. A local engine does the same itself, so there everything is passed
 * on. Never blocks. Thread-safe.
 *
 * <p>If a transaction of several fails for a reason that may concern only one of them, each runs
 * again alone. An unknown outcome is that of all.
 */
final class QueueBatches {
  /** The number of transactions of one queue that may wait. */
  static final int WAITING_MAX = 4_096;

  /** The bytes that the waiting transactions of all queues hold. */
  static final long WAITING_BYTES_MAX = 32L << 20;

  /** The number of transactions that run as one. */
  static final int MEMBERS_MAX = 64;

  /** The number of rows that they read, and of bytes that they hold, unless one has more. */
  private static final int ROWS_MAX = 256;

  private static final long BYTES_MAX = 1 << 20;

  private record Member<R>(
      List<Bytes> touch,
      Deadline deadline,
      TransactionBody<R> body,
      long bytes,
      CompletableFuture<R> future) {
    @SuppressWarnings("unchecked") // The result is that of the member's own body.
    void complete(@Nullable Object result) {
      future.complete((R) result);
    }
  }

  private final StorageEngine engine;
  private final Consumer<Space> onConflict;

  /** The transactions that wait, for each queue of which one is under way. */
  private final Map<Space, Deque<Member<?>>> waiting = new ConcurrentHashMap<>();

  private final AtomicLong waitingBytes = new AtomicLong();

  /**
   * @param onConflict runs when a transaction has been repeated because another server was faster
   */
  QueueBatches(StorageEngine engine, Consumer<Space> onConflict) {
    this.engine = engine;
    this.onConflict = onConflict;
  }

  /**
   * Runs a transaction. See {@link StorageEngine#transact}.
   *
   * @param touch all rows that the body reads
   */
  <R> CompletableFuture<R> transact(
      Space queue, List<Bytes> touch, Deadline deadline, TransactionBody<R> body) {
    if (!engine.isShared()) {
      return engine.transact(QueueRows.partition(queue), touch, deadline, body);
    }
    Member<R> member =
        new Member<>(touch, deadline, body, body.weightBytes(), new CompletableFuture<>());
    boolean[] first = new boolean[1];
    boolean[] full = new boolean[1];
    waiting.compute(
        queue,
        (key, others) -> {
          if (others == null) {
            first[0] = true;
            return new ArrayDeque<>();
          }
          full[0] =
              others.size() >= WAITING_MAX
                  || waitingBytes.addAndGet(member.bytes) > WAITING_BYTES_MAX;
          if (!full[0]) {
            others.add(member);
          } else if (others.size() < WAITING_MAX) {
            waitingBytes.addAndGet(-member.bytes);
          }
          return others;
        });
    if (full[0]) {
      member.future.completeExceptionally(
          new StorageException(
              StorageException.Kind.UNAVAILABLE, "too many transactions wait for the queue"));
    } else if (first[0]) {
      runAll(queue, List.of(member));
    }
    return member.future;
  }

  /** Runs members, and those that gather in the meantime, until none waits. */
  private void runAll(Space queue, List<Member<?>> first) {
    List<Member<?>> members = first;
    while (!members.isEmpty()) {
      CompletableFuture<Runnable> attempt = attempt(queue, members);
      if (!attempt.isDone()) {
        CompletableFuture<Void> unused =
            attempt.thenAccept(
                end -> {
                  // The next ones start first: whatever waits for these results may take long.
                  runAll(queue, next(queue));
                  end.run();
                });
        return;
      }
      attempt.getNow(() -> {}).run();
      members = next(queue);
    }
  }

  /** Removes the members that run next. Nothing is under way in the queue if there are none. */
  private List<Member<?>> next(Space queue) {
    List<Member<?>> members = new ArrayList<>();
    waiting.computeIfPresent(
        queue,
        (key, others) -> {
          int rows = 0;
          long bytes = 0;
          for (Member<?> next = others.peek();
              next != null
                  && (members.isEmpty()
                      || (members.size() < MEMBERS_MAX
                          && rows + next.touch.size() <= ROWS_MAX
                          && bytes + next.bytes <= BYTES_MAX));
              next = others.peek()) {
            members.add(others.remove());
            rows += next.touch.size();
            bytes += next.bytes;
          }
          waitingBytes.addAndGet(-bytes);
          return members.isEmpty() ? null : others;
        });
    return members;
  }

  /** Runs members. Returns what completes their futures; the returned future does not fail. */
  private CompletableFuture<Runnable> attempt(Space queue, List<Member<?>> members) {
    Set<Bytes> touch = new LinkedHashSet<>();
    Deadline deadline = members.get(0).deadline;
    for (Member<?> member : members) {
      touch.addAll(member.touch);
      if (member.deadline.remaining().compareTo(deadline.remaining()) < 0) {
        deadline = member.deadline;
      }
    }
    CompletableFuture<Runnable> end = new CompletableFuture<>();
    CompletableFuture<Results> unused =
        begin(queue, List.copyOf(touch), deadline, new Batch(members))
            .whenComplete(
                (result, failure) -> {
                  if (failure == null) {
                    if (result.attempt > 1) {
                      onConflict.accept(queue);
                    }
                    end.complete(() -> complete(members, result.values));
                  } else if (members.size() > 1 && mayConcernOne(failure)) {
                    each(queue, members, 0, () -> {}, end);
                  } else {
                    end.complete(
                        () ->
                            members.forEach(
                                member -> member.future.completeExceptionally(failure)));
                  }
                });
    return end;
  }

  /** Begins a transaction. Every failure is in the future, so that others do not wait for ever. */
  private CompletableFuture<Results> begin(
      Space queue, List<Bytes> touch, Deadline deadline, Batch batch) {
    try {
      return engine.transact(QueueRows.partition(queue), touch, deadline, batch);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private static void complete(List<Member<?>> members, List<@Nullable Object> values) {
    for (int i = 0; i < members.size(); i++) {
      members.get(i).complete(values.get(i));
    }
  }

  /** Returns true if nothing was written, and only one member may have caused the failure. */
  private static boolean mayConcernOne(Throwable failure) {
    return !(failure instanceof StorageException e)
        || e.kind() == StorageException.Kind.TIMEOUT
        || e.kind() == StorageException.Kind.CORRUPT;
  }

  /** Runs members one after another, and completes the end with what completes their futures. */
  private void each(
      Space queue,
      List<Member<?>> members,
      int from,
      Runnable before,
      CompletableFuture<Runnable> end) {
    if (from == members.size()) {
      end.complete(before);
      return;
    }
    CompletableFuture<Void> unused =
        attempt(queue, members.subList(from, from + 1))
            .thenAccept(
                one ->
                    each(
                        queue,
                        members,
                        from + 1,
                        () -> {
                          before.run();
                          one.run();
                        },
                        end));
  }

  /** The results of all members, and the number of the attempt that was committed. */
  private record Results(List<@Nullable Object> values, int attempt) {}

  /** Several bodies as one. */
  private record Batch(List<Member<?>> members) implements TransactionBody<Results> {
    @Override
    public Results run(PartitionView view) {
      List<@Nullable Object> values = new ArrayList<>(members.size());
      for (Member<?> member : members) {
        values.add(member.body.run(view));
      }
      return new Results(values, view.attempt());
    }

    @Override
    public long weightBytes() {
      return members.stream().mapToLong(Member::bytes).sum();
    }
  }
}
