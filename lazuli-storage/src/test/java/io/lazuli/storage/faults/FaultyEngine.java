package io.lazuli.storage.faults;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.EngineState;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.RecordKey;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.TransactionBody;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * An engine that fails the calls that a test chooses and forwards the others. Faults are planned
 * for each kind of call and used in order. Mutable; safe for any thread.
 */
public final class FaultyEngine extends ForwardingEngine {
  /** A method that can be made to fail. */
  public enum Call {
    /** Fails before the body runs: nothing is written. */
    TRANSACT,
    /** Fails after the transaction took place: the reply is lost. */
    TRANSACT_REPLY,
    READ,
    SCAN,
    NEW_SPACE
  }

  private final Map<Call, Queue<Optional<StorageException>>> faults = new EnumMap<>(Call.class);
  private volatile EngineState fixedState;

  /** Wraps an engine, which is closed with this one. */
  public FaultyEngine(StorageEngine engine) {
    super(engine);
    for (Call call : Call.values()) {
      faults.put(call, new ConcurrentLinkedQueue<>());
    }
  }

  /** Plans that the next call of the kind fails, after those that are already planned. */
  public void failNext(Call call, StorageException.Kind kind) {
    failNext(call, kind, 1);
  }

  /** Plans several failures in a row. */
  public void failNext(Call call, StorageException.Kind kind, int times) {
    for (int i = 0; i < times; i++) {
      faults.get(call).add(Optional.of(new StorageException(kind, "planned by the test")));
    }
  }

  /** Plans that the next calls of the kind succeed, after those that are already planned. */
  public void passNext(Call call, int times) {
    for (int i = 0; i < times; i++) {
      faults.get(call).add(Optional.empty());
    }
  }

  /** Discards planned failures that were not used yet. */
  public void failNoMore() {
    faults.values().forEach(Queue::clear);
    fixedState = null;
  }

  /** Makes the engine report this state from now on. */
  public void report(EngineState state) {
    fixedState = state;
  }

  @Override
  public <R> CompletableFuture<R> transact(
      Partition partition, List<Bytes> touch, Deadline deadline, TransactionBody<R> body) {
    StorageException fault = next(Call.TRANSACT);
    if (fault != null) {
      return CompletableFuture.failedFuture(fault);
    }
    CompletableFuture<R> done = super.transact(partition, touch, deadline, body);
    StorageException lost = next(Call.TRANSACT_REPLY);
    return lost == null ? done : loseReply(done, lost);
  }

  @Override
  public CompletableFuture<byte[]> read(RecordKey key, Deadline deadline) {
    StorageException fault = next(Call.READ);
    return fault == null ? super.read(key, deadline) : CompletableFuture.failedFuture(fault);
  }

  @Override
  public CompletableFuture<Void> scan(
      Space space,
      List<KeyRange> ranges,
      Direction direction,
      Deadline deadline,
      RecordVisitor visitor) {
    StorageException fault = next(Call.SCAN);
    return fault == null
        ? super.scan(space, ranges, direction, deadline, visitor)
        : CompletableFuture.failedFuture(fault);
  }

  @Override
  public CompletableFuture<Long> newSpace(SpaceKind kind, Deadline deadline) {
    StorageException fault = next(Call.NEW_SPACE);
    return fault == null ? super.newSpace(kind, deadline) : CompletableFuture.failedFuture(fault);
  }

  @Override
  public EngineState state() {
    EngineState state = fixedState;
    return state == null ? super.state() : state;
  }

  private StorageException next(Call call) {
    Optional<StorageException> fault = faults.get(call).poll();
    return fault == null ? null : fault.orElse(null);
  }

  private static <R> CompletableFuture<R> loseReply(
      CompletableFuture<R> done, StorageException fault) {
    CompletableFuture<R> lost = new CompletableFuture<>();
    CompletableFuture<R> unused =
        done.whenComplete((result, failure) -> lost.completeExceptionally(fault));
    return lost;
  }
}
