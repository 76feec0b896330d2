package io.lazuli.server.blob.service;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageException;
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
 */
final class BlobGarbage {
  /** What does not fit is found by the next round over all blobs. */
  private static final int NOTED_MAX = 100_000;

  /** Places whose removals wait for the disk together. */
  private static final int LOT_MAX = 256;

  private final StorageEngine engine;
  private final PartitionUse use = new PartitionUse(this::changed);

  @GuardedBy("this")
  private final Set<Partition> changed = new LinkedHashSet<>();

  @GuardedBy("this")
  private final Set<ChunkRef> chunks = new LinkedHashSet<>();

  @GuardedBy("this")
  private boolean missed;

  @GuardedBy("this")
  private Runnable wake = () -> {};

  BlobGarbage(StorageEngine engine) {
    this.engine = engine;
  }

  /** What is in use; to be marked before it is looked at. */
  PartitionUse use() {
    return use;
  }

  /** Something in the partition may be garbage now. */
  void changed(Partition partition) {
    note(partition, null);
  }

  /** Nothing refers to this chunk, and nothing ever will. */
  void delete(ChunkRef chunk) {
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
  boolean clean(Deadline deadline) {
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
        removals.add(begin(place, Long.MAX_VALUE, 0, deadline));
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
   * @param chunks that can be deleted if it takes place
   * @param removed false if a write came in between
   */
  private record Removal(
      Partition partition, List<ChunkRef> chunks, CompletableFuture<Boolean> removed) {}

  private Removal begin(
      Partition partition, long unnamedBefore, long markedBefore, Deadline deadline) {
    try {
      BlobRecords records = new BlobRecords(engine, partition, deadline);
      LiveContent live = live(records, unnamedBefore, markedBefore, Bytes.EMPTY);
      if (live != null) {
        List<ChunkRef> dead = live.garbageChunks().stream().map(ChunkRef::new).toList();
        return new Removal(partition, dead, remove(partition, live, deadline));
      }
    } catch (StorageException e) {
      requireGone(e);
    }
    return new Removal(partition, List.of(), CompletableFuture.completedFuture(true));
  }

  /** Lots in order, each after the one before; waits for all but the last. */
  private CompletableFuture<Boolean> remove(
      Partition partition, LiveContent live, Deadline deadline) {
    List<Bytes> rows = live.garbage();
    CompletableFuture<Boolean> removed = CompletableFuture.completedFuture(true);
    for (int at = 0; at < rows.size() && BlobWork.join(removed); at += RemoveBody.ROWS_MAX) {
      List<Bytes> lot = rows.subList(at, Math.min(rows.size(), at + RemoveBody.ROWS_MAX));
      RemoveBody body = new RemoveBody(live.properties(), lot, List.of());
      removed = engine.transact(partition, List.of(BlobRows.PROPERTIES), deadline, body);
    }
    return removed;
  }

  private List<ChunkRef> end(Removal removal) {
    try {
      if (BlobWork.join(removal.removed())) {
        return removal.chunks();
      }
      changed(removal.partition());
    } catch (StorageException e) {
      requireGone(e);
    }
    return List.of();
  }

  /** What a container held that is gone is found by the chunks' owner. */
  private static void requireGone(StorageException e) {
    if (e.kind() != StorageException.Kind.SPACE_GONE) {
      throw e;
    }
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
    records.show(live, from);
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
    return live;
  }

  /** Deletes chunks; blocks. */
  void deleteChunks(List<ChunkRef> dead) {
    if (!dead.isEmpty()) {
      engine.chunks().delete(dead);
    }
  }
}
