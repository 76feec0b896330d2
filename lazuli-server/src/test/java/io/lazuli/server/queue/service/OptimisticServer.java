package io.lazuli.server.queue.service;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.RowVisitor;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.TransactionBody;
import io.lazuli.storage.faults.ForwardingEngine;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One of several servers on the same engine. It works as on a cluster: it runs a body, and later
 * commits its changes if everything that the body read by key is unchanged; otherwise it runs the
 * body again. A test can set its clock apart, and pause it between body and commit. Thread-safe.
 */
final class OptimisticServer extends ForwardingEngine {
  private final AtomicLong skewTicks = new AtomicLong();
  private final AtomicInteger commits = new AtomicInteger();
  private final AtomicInteger conflicts = new AtomicInteger();
  private volatile CompletableFuture<?> resumed = CompletableFuture.completedFuture(null);
  private volatile CompletableFuture<Boolean> reached = new CompletableFuture<>();
  private volatile Space lastSpace = Space.CATALOGUE;
  private volatile Bytes lowestScanned = Bytes.of(new byte[] {(byte) 0xff});

  OptimisticServer(StorageEngine engine) {
    super(engine);
  }

  /** Sets how far the clock is ahead of the others; negative if it is behind. */
  void setSkew(long ticks) {
    skewTicks.set(ticks);
  }

  /** Keeps all commits from now on until the returned future completes. */
  CompletableFuture<?> pause() {
    CompletableFuture<?> end = new CompletableFuture<>();
    reached = new CompletableFuture<>();
    resumed = end;
    return end;
  }

  /** Waits until a body has run and its commit is kept. */
  void awaitPaused() {
    reached.join();
  }

  int commits() {
    return commits.get();
  }

  int conflicts() {
    return conflicts.get();
  }

  /** Returns the space of the last transaction on a queue. */
  Space lastSpace() {
    return lastSpace;
  }

  /** Returns the lowest row of the kind {@code v} at which a scan began since the last call. */
  Bytes lowestScanned() {
    Bytes lowest = lowestScanned;
    lowestScanned = Bytes.of(new byte[] {(byte) 0xff});
    return lowest;
  }

  @Override
  public boolean isShared() {
    return true;
  }

  @Override
  public long now() {
    return super.now() + skewTicks.get();
  }

  @Override
  public CompletableFuture<@Nullable Void> scan(
      Space space,
      List<KeyRange> ranges,
      Direction direction,
      Deadline deadline,
      RecordVisitor visitor) {
    Bytes from = ranges.get(0).from().row();
    if (from.length() > 0 && from.array()[0] == 'v' && from.compareTo(lowestScanned) < 0) {
      lowestScanned = from;
    }
    return super.scan(space, ranges, direction, deadline, visitor);
  }

  @Override
  public <R> CompletableFuture<R> transact(
      Partition partition, List<Bytes> touch, Deadline deadline, TransactionBody<R> body) {
    return attempt(partition, deadline, body, 1);
  }

  private <R> CompletableFuture<R> attempt(
      Partition partition, Deadline deadline, TransactionBody<R> body, int attempt) {
    if (partition.space().equals(Space.CATALOGUE)) {
      return super.transact(partition, List.of(), deadline, body);
    }
    lastSpace = partition.space();
    CompletableFuture<?> gate = resumed;
    Run<R> run = new Run<>(body, attempt);
    return super.transact(partition, List.of(), deadline, run)
        .handle((none, end) -> run.requireEnded(end))
        .thenCompose(
            done -> {
              reached.complete(true);
              return gate;
            })
        .thenCompose(go -> super.transact(partition, List.of(), deadline, run::commit))
        .thenCompose(
            committed -> {
              if (committed) {
                commits.incrementAndGet();
                return CompletableFuture.completedFuture(run.result);
              }
              conflicts.incrementAndGet();
              return attempt(partition, deadline, body, attempt + 1);
            });
  }

  /** Ends a transaction without changing anything. */
  private static final class Discarded extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** One run of a body, whose changes are discarded and made again by the commit. */
  private final class Run<R> implements TransactionBody<Boolean> {
    private final TransactionBody<R> body;
    private final int attempt;
    private final Map<Bytes, Optional<byte[]>> reads = new HashMap<>();
    private final Map<Bytes, Optional<byte[]>> changes = new HashMap<>();
    private R result;

    Run(TransactionBody<R> body, int attempt) {
      this.body = body;
      this.attempt = attempt;
    }

    @Override
    public Boolean run(PartitionView view) {
      reads.clear();
      changes.clear();
      result = body.run(new Recorder(view));
      throw new Discarded();
    }

    private boolean requireEnded(Throwable end) {
      Throwable cause = end.getCause() == null ? end : end.getCause();
      if (cause instanceof Discarded) {
        return true;
      }
      throw new CompletionException(cause);
    }

    private boolean commit(PartitionView view) {
      boolean same =
          reads.entrySet().stream()
              .allMatch(
                  read -> Arrays.equals(view.read(read.getKey()), read.getValue().orElse(null)));
      if (same) {
        changes.forEach(
            (row, change) ->
                change.ifPresentOrElse(value -> view.put(row, value), () -> view.delete(row)));
      }
      return same;
    }

    private final class Recorder implements PartitionView {
      private final PartitionView view;

      Recorder(PartitionView view) {
        this.view = view;
      }

      @Override
      public int attempt() {
        return attempt;
      }

      @Override
      public byte @Nullable [] read(Bytes row) {
        byte[] value = view.read(row);
        if (!changes.containsKey(row)) {
          reads.put(row, Optional.ofNullable(value));
        }
        return value;
      }

      @Override
      public void scan(Bytes from, @Nullable Bytes to, int rowsMax, RowVisitor visitor) {
        view.scan(from, to, rowsMax, visitor);
      }

      @Override
      public void put(Bytes row, byte[] value) {
        changes.put(row, Optional.of(value));
        view.put(row, value);
      }

      @Override
      public void delete(Bytes row) {
        changes.put(row, Optional.empty());
        view.delete(row);
      }

      @Override
      public long timestamp(Bytes row) {
        return view.timestamp(row) + skewTicks.get();
      }

      @Override
      public void drop(Space space) {
        throw new UnsupportedOperationException();
      }
    }
  }
}
