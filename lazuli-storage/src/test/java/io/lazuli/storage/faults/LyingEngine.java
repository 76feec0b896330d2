package io.lazuli.storage.faults;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.RecordKey;
import io.lazuli.storage.RowVisitor;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.TransactionBody;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An engine that now and then breaks one promise, and claims that everything is well. It forwards
 * all other calls. Checkers are tested with it. Mutable; safe for any thread.
 */
public final class LyingEngine extends ForwardingEngine {
  /** The promise that is broken. */
  public enum Lie {
    NONE,
    /** A transaction is acknowledged and not applied. */
    LOST_WRITE,
    /** A read returns the record before the last change. */
    STALE_READ,
    /** A transaction is applied in two parts, with a pause between them. */
    TORN_BATCH,
    /** A record gets the timestamp that it had before. */
    REPEATED_TIMESTAMP,
    /** A transaction is acknowledged, and applied after the next one of its partition. */
    REORDERED_COMMITS,
    /**
     * Transactions of a partition share a commit although they have rows in common: each sees the
     * state before, and all are applied.
     */
    MERGED_COMMITS
  }

  private static final Duration PAUSE = Duration.ofMillis(4);

  /** The settings of the lies. */
  private record Plan(Lie lie, int every, Predicate<String> bodies, Random random) {}

  private final Map<RecordKey, Optional<byte[]>> previous = new ConcurrentHashMap<>();
  private final Map<RecordKey, Long> timestamps = new ConcurrentHashMap<>();
  private final Map<Partition, Map<Bytes, Optional<byte[]>>> late = new ConcurrentHashMap<>();
  private final Map<Partition, List<Merged<?>>> gathered = new ConcurrentHashMap<>();
  private final AtomicInteger told = new AtomicInteger();
  private volatile Plan plan = new Plan(Lie.NONE, 1, body -> false, new Random(0));

  /** Wraps an engine, which is closed with this one. */
  public LyingEngine(StorageEngine engine) {
    super(engine);
  }

  /**
   * Lies from now on.
   *
   * @param every about one of this many occasions is used
   * @param bodies chooses transactions by the name of their body's class
   */
  public void lie(Lie lie, int every, long seed, Predicate<String> bodies) {
    previous.clear();
    timestamps.clear();
    told.set(0);
    plan = new Plan(lie, every, bodies, new Random(seed));
  }

  /** Tells the truth from now on. */
  public void stopLying() {
    plan = new Plan(Lie.NONE, 1, body -> false, new Random(0));
  }

  /** Returns how often it has lied. */
  public int told() {
    return told.get();
  }

  @Override
  public <R> CompletableFuture<R> transact(
      Partition partition, List<Bytes> touch, Deadline deadline, TransactionBody<R> body) {
    Plan now = plan;
    Map<Bytes, Optional<byte[]>> overdue = late.remove(partition);
    boolean chosen = overdue == null && now.bodies().test(body.getClass().getSimpleName());
    if (overdue != null) {
      return super.transact(partition, touch, deadline, body)
          .thenComposeAsync(result -> apply(partition, deadline, overdue, result), later());
    }
    return switch (chosen ? now.lie() : Lie.NONE) {
      case NONE -> super.transact(partition, touch, deadline, body);
      case LOST_WRITE, REORDERED_COMMITS ->
          isTime(now)
              ? unapplied(partition, touch, deadline, body, now.lie())
              : super.transact(partition, touch, deadline, body);
      case TORN_BATCH ->
          isTime(now)
              ? torn(partition, touch, deadline, body)
              : super.transact(partition, touch, deadline, body);
      case MERGED_COMMITS ->
          isTime(now)
              ? merged(partition, deadline, body)
              : super.transact(partition, touch, deadline, body);
      case STALE_READ, REPEATED_TIMESTAMP ->
          super.transact(
              partition, touch, deadline, view -> body.run(new Watched(view, partition, now)));
    };
  }

  @Override
  public CompletableFuture<byte @Nullable []> read(RecordKey key, Deadline deadline) {
    Plan now = plan;
    Optional<byte[]> old = now.lie() == Lie.STALE_READ ? previous.get(key) : null;
    if (old != null && isTime(now)) {
      told.incrementAndGet();
      return CompletableFuture.completedFuture(old.map(byte[]::clone).orElse(null));
    }
    return super.read(key, deadline);
  }

  private static boolean isTime(Plan plan) {
    return plan.random().nextInt(plan.every()) == 0;
  }

  private static Executor later() {
    return CompletableFuture.delayedExecutor(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
  }

  private <R> CompletableFuture<R> unapplied(
      Partition partition, List<Bytes> touch, Deadline deadline, TransactionBody<R> body, Lie lie) {
    return super.transact(
        partition,
        touch,
        deadline,
        view -> {
          Held held = new Held(view);
          R result = body.run(held);
          if (!held.changes.isEmpty()) {
            told.incrementAndGet();
            if (lie == Lie.REORDERED_COMMITS) {
              late.put(partition, held.changes);
            }
          }
          return result;
        });
  }

  /** The result of a transaction, and the part of its changes that is still to come. */
  private record Half<R>(R result, Map<Bytes, Optional<byte[]>> rest) {}

  private <R> CompletableFuture<R> torn(
      Partition partition, List<Bytes> touch, Deadline deadline, TransactionBody<R> body) {
    CompletableFuture<Half<R>> first =
        super.transact(
            partition,
            touch,
            deadline,
            view -> {
              Held held = new Held(view);
              R result = body.run(held);
              List<Bytes> rows = new ArrayList<>(held.changes.keySet());
              for (Bytes row : rows.subList(0, (rows.size() + 1) / 2)) {
                change(view, row, held.changes.remove(row));
              }
              return new Half<>(result, held.changes);
            });
    return first.thenComposeAsync(
        half -> {
          told.addAndGet(half.rest().isEmpty() ? 0 : 1);
          return apply(partition, deadline, half.rest(), half.result());
        },
        later());
  }

  /** A transaction that waits for others of its partition. */
  private record Merged<R>(TransactionBody<R> body, CompletableFuture<R> result) {
    /** Runs the body. Returns what completes the future. */
    Runnable run(PartitionView view) {
      R value = body.run(view);
      return () -> result.complete(value);
    }
  }

  /** Lets a transaction wait for a while, and applies it together with those that came then. */
  private <R> CompletableFuture<R> merged(
      Partition partition, Deadline deadline, TransactionBody<R> body) {
    Merged<R> one = new Merged<>(body, new CompletableFuture<>());
    gathered.compute(
        partition,
        (key, others) -> {
          List<Merged<?>> all = others == null ? new ArrayList<>() : others;
          if (all.isEmpty()) {
            later().execute(() -> applyGathered(partition, deadline));
          }
          all.add(one);
          return all;
        });
    return one.result();
  }

  private void applyGathered(Partition partition, Deadline deadline) {
    List<Merged<?>> all = gathered.remove(partition);
    CompletableFuture<List<Runnable>> applied =
        super.transact(
            partition,
            List.of(),
            deadline,
            view -> {
              List<Held> views = new ArrayList<>();
              List<Runnable> ends = new ArrayList<>();
              for (Merged<?> each : all) {
                Held held = new Held(view);
                ends.add(each.run(held));
                views.add(held);
              }
              views.forEach(held -> held.changes.forEach((row, value) -> change(view, row, value)));
              told.addAndGet(all.size() - 1);
              return ends;
            });
    CompletableFuture<List<Runnable>> unused =
        applied.whenComplete(
            (ends, failure) -> {
              if (failure == null) {
                ends.forEach(Runnable::run);
              } else {
                all.forEach(each -> each.result().completeExceptionally(failure));
              }
            });
  }

  private <R> CompletableFuture<R> apply(
      Partition partition, Deadline deadline, Map<Bytes, Optional<byte[]>> changes, R result) {
    return super.transact(
        partition,
        List.of(),
        deadline,
        view -> {
          changes.forEach((row, value) -> change(view, row, value));
          return result;
        });
  }

  private static void change(PartitionView view, Bytes row, Optional<byte[]> value) {
    value.map(byte[]::clone).ifPresentOrElse(bytes -> view.put(row, bytes), () -> view.delete(row));
  }

  /** A view that keeps changes for itself. */
  private static class Held implements PartitionView {
    final PartitionView view;
    final Map<Bytes, Optional<byte[]>> changes = new LinkedHashMap<>();

    Held(PartitionView view) {
      this.view = view;
    }

    @Override
    public int attempt() {
      return view.attempt();
    }

    @Override
    public byte @Nullable [] read(Bytes row) {
      Optional<byte[]> changed = changes.get(row);
      return changed == null ? view.read(row) : changed.orElse(null);
    }

    @Override
    public void scan(Bytes from, @Nullable Bytes to, int rowsMax, RowVisitor visitor) {
      view.scan(from, to, rowsMax, visitor);
    }

    @Override
    public void put(Bytes row, byte[] value) {
      changes.put(row, Optional.of(value));
    }

    @Override
    public void delete(Bytes row) {
      changes.put(row, Optional.empty());
    }

    @Override
    public long timestamp(Bytes row) {
      return view.timestamp(row);
    }

    @Override
    public void drop(Space space) {
      view.drop(space);
    }
  }

  /** A view that remembers old records and timestamps. */
  private final class Watched extends Held {
    private final Partition partition;
    private final Plan now;

    Watched(PartitionView view, Partition partition, Plan now) {
      super(view);
      this.partition = partition;
      this.now = now;
    }

    @Override
    public byte @Nullable [] read(Bytes row) {
      return view.read(row);
    }

    @Override
    public void put(Bytes row, byte[] value) {
      previous.put(partition.row(row), Optional.ofNullable(view.read(row)).map(byte[]::clone));
      view.put(row, value);
    }

    @Override
    public void delete(Bytes row) {
      previous.put(partition.row(row), Optional.ofNullable(view.read(row)).map(byte[]::clone));
      view.delete(row);
    }

    @Override
    public long timestamp(Bytes row) {
      long right = view.timestamp(row);
      Long old = timestamps.put(partition.row(row), right);
      if (old == null || now.lie() != Lie.REPEATED_TIMESTAMP || !isTime(now)) {
        return right;
      }
      told.incrementAndGet();
      timestamps.put(partition.row(row), old);
      return old;
    }
  }
}
