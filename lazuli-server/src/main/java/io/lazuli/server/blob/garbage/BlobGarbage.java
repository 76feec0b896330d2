package io.lazuli.server.blob.garbage;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.partition.BlobRecords;
import io.lazuli.server.error.Futures;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.Ticks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Takes away what nothing names any more. Those who write say where something was replaced, and do
 * not wait; one thread looks there soon after. What is still being read is left until it is not.
 * Mutable, safe for any thread.
 *
 * <p>Between a look and a removal others may write: {@link RemoveBody} then does nothing, and the
 * place is looked at again. What is about to be named by this process is known to {@link
 * PartitionUse}, so everything else that is unnamed is garbage at once, whatever its age.
 *
 * <p>Unless other servers use the engine too: what they are about to name is known by its age only,
 * and what they may be reading is left for a while ({@link UnnamedVersions}).
 */
public final class BlobGarbage {
  /** What does not fit is found by the next round over all blobs. */
  private static final int NOTED_MAX = 100_000;

  /** Places whose removals wait for the disk together. */
  private static final int LOT_MAX = 256;

  /** Longer than anybody takes to name what he has written. */
  public static final Duration UNPUBLISHED = Duration.ofHours(1);

  /** How long other servers' readers have what was replaced. */
  public static final Duration REST = Duration.ofMinutes(10);

  private final StorageEngine engine;
  private final boolean shared;
  private final UnnamedVersions unnamed = new UnnamedVersions(ticks(REST), NOTED_MAX);
  private final PartitionUse use = new PartitionUse(this::changed);

  @GuardedBy("this")
  private final Set<Partition> changed = new LinkedHashSet<>();

  @GuardedBy("this")
  private final Set<ChunkRef> chunks = new LinkedHashSet<>();

  @GuardedBy("this")
  private boolean missed;

  @GuardedBy("this")
  private Runnable wake = () -> {};

  public BlobGarbage(StorageEngine engine) {
    this.engine = engine;
    this.shared = engine.isShared();
  }

  /** What is in use; to be marked before it is looked at. */
  public PartitionUse use() {
    return use;
  }

  /** Something in the partition may be garbage now. */
  public void changed(Partition partition) {
    note(partition, null);
  }

  /** Nothing refers to this chunk, and nothing ever will. */
  public void delete(ChunkRef chunk) {
    note(null, chunk);
  }

  private synchronized void note(@Nullable Partition partition, @Nullable ChunkRef chunk) {
    if (changed.size() + chunks.size() >= NOTED_MAX) {
      missed = true;
      return;
    }
    boolean first = changed.isEmpty() && chunks.isEmpty();
    if (partition != null) {
      changed.add(partition);
    }
    if (chunk != null) {
      chunks.add(chunk);
    }
    if (first) {
      wake.run();
    }
  }

  /** Notes what was left to other servers' readers for long enough. */
  public void lookAgain() {
    unnamed.due(engine.now()).forEach(this::changed);
  }

  /** True if what was written since then, and is not named yet, may be taken for garbage soon. */
  public boolean isLate(long beganTicks) {
    return shared && beganTicks < engine.now() - ticks(UNPUBLISHED) / 2;
  }

  /**
   * Has somebody told when there is something to do.
   *
   * @param newWake returns at once
   */
  synchronized void onWork(Runnable newWake) {
    wake = newWake;
  }

  /** True if something was left that only a look at every blob will find, since last asked. */
  synchronized boolean takeMissed() {
    boolean was = missed;
    missed = false;
    return was;
  }

  /**
   * Does some of what was noted; blocks.
   *
   * @return true if there is more
   */
  public boolean clean(Deadline deadline) {
    List<Partition> places;
    List<ChunkRef> dead;
    synchronized (this) {
      places = take(changed);
      dead = take(chunks);
    }
    boolean done = false;
    try {
      List<Removal> removals = new ArrayList<>();
      for (Partition place : places) {
        removals.add(begin(place, unnamedBefore(), 0, deadline));
      }
      removals.forEach(removal -> dead.addAll(end(removal)));
      deleteChunks(dead);
      done = true;
    } finally {
      if (!done) {
        miss();
      }
    }
    synchronized (this) {
      return !changed.isEmpty() || !chunks.isEmpty();
    }
  }

  private long unnamedBefore() {
    return shared ? engine.now() - ticks(UNPUBLISHED) : Long.MAX_VALUE;
  }

  private static <T> List<T> take(Set<T> noted) {
    List<T> taken = new ArrayList<>();
    Iterator<T> left = noted.iterator();
    while (left.hasNext() && taken.size() < LOT_MAX) {
      taken.add(left.next());
      left.remove();
    }
    return taken;
  }

  /** Something was left that only a look at every blob will find. */
  synchronized void miss() {
    missed = true;
  }

  /**
   * Removes the garbage of one partition; blocks.
   *
   * @param unnamedBefore what has no name and is younger is left
   * @param markedBefore marks of chunks that are younger are left
   * @return chunks that can be deleted
   */
  List<ChunkRef> sweep(
      Partition partition, long unnamedBefore, long markedBefore, Deadline deadline) {
    return end(begin(partition, unnamedBefore, markedBefore, deadline));
  }

  /**
   * A removal under way.
   *
   * @param live null if nothing is removed
   * @param removed false if a write came in between
   */
  private record Removal(
      Partition partition, @Nullable LiveContent live, CompletableFuture<Boolean> removed) {
    static Removal none(Partition partition) {
      return new Removal(partition, null, CompletableFuture.completedFuture(true));
    }
  }

  private Removal begin(
      Partition partition, long unnamedBefore, long markedBefore, Deadline deadline) {
    if (shared && unnamed.isResting(partition, engine.now())) {
      return Removal.none(partition);
    }
    try {
      BlobRecords records = new BlobRecords(engine, partition, deadline);
      LiveContent live = live(records, unnamedBefore, markedBefore, Bytes.EMPTY);
      if (live != null) {
        return new Removal(partition, live, remove(partition, live, deadline));
      }
    } catch (StorageException e) {
      requireGone(partition, e);
    }
    return Removal.none(partition);
  }

  /** Lots in order, each after the one before; waits for all but the last. */
  private CompletableFuture<Boolean> remove(
      Partition partition, LiveContent live, Deadline deadline) {
    List<Bytes> rows = live.garbage();
    CompletableFuture<Boolean> removed = CompletableFuture.completedFuture(true);
    for (int at = 0; at < rows.size() && Futures.join(removed); at += RemoveBody.ROWS_MAX) {
      List<Bytes> lot = rows.subList(at, Math.min(rows.size(), at + RemoveBody.ROWS_MAX));
      RemoveBody body = new RemoveBody(live.properties(), lot, List.of());
      removed = engine.transact(partition, List.of(BlobRows.PROPERTIES), deadline, body);
    }
    return removed;
  }

  private List<ChunkRef> end(Removal removal) {
    Partition partition = removal.partition();
    LiveContent live = removal.live();
    try {
      if (live != null && Futures.join(removal.removed())) {
        if (shared && !live.isLeaving()) {
          unnamed.forget(partition);
        }
        return live.garbageChunks().stream().map(ChunkRef::new).toList();
      }
      if (live != null) {
        if (shared) {
          unnamed.restore(partition, live.garbageVersions());
        }
        changed(partition);
      }
    } catch (StorageException e) {
      requireGone(partition, e);
    }
    return List.of();
  }

  /** What a container held that is gone is found by the chunks' owner. */
  private void requireGone(Partition partition, StorageException e) {
    if (e.kind() != StorageException.Kind.SPACE_GONE) {
      throw e;
    }
    unnamed.forget(partition);
  }

  /**
   * What is alive in a partition, those that are being read included; null if nothing can be said
   * now, in which case the place is noted for later.
   *
   * @param from the first row that matters
   */
  @Nullable LiveContent live(
      BlobRecords records, long unnamedBefore, long markedBefore, Bytes from) {
    LiveContent live = new LiveContent(records.propertiesRecord(), unnamedBefore, markedBefore);
    records.visit(from, live::add);
    // Behind the scan: whoever wrote what it saw and did not name it yet is still there, or failed.
    Set<Long> inUse = use.inUse(records.partition());
    if (inUse == null) {
      use.await(records.partition());
      return null;
    }
    live.hold(inUse);
    if (live.isHolding()) {
      use.await(records.partition());
    }
    if (shared) {
      letRest(records.partition(), live);
    }
    return live;
  }

  /** Other servers may be reading what has no name since a short time. */
  private void letRest(Partition partition, LiveContent live) {
    Set<Long> resting = live.unnamed();
    if (!resting.isEmpty() || live.isLeaving()) {
      resting.removeAll(unnamed.seen(partition, live.unnamed(), engine.now()));
      live.hold(resting);
      if (unnamed.isFull()) {
        miss();
      }
    }
  }

  private static long ticks(Duration time) {
    return time.toMillis() * (Ticks.PER_SECOND / 1_000);
  }

  /** Deletes chunks; blocks. */
  void deleteChunks(List<ChunkRef> dead) {
    if (!dead.isEmpty()) {
      engine.chunks().delete(dead);
    }
  }
}
