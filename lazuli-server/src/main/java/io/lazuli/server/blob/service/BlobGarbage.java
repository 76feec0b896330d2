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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
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

  /** Looks at one place, each of which somebody's write spoils, until it is left for later. */
  private static final int LOOKS_MAX = 5;

  private final StorageEngine engine;
  private final PartitionUse use = new PartitionUse(this::changed);

  @GuardedBy("this")
  private Set<Partition> changed = new LinkedHashSet<>();

  @GuardedBy("this")
  private Set<ChunkRef> chunks = new LinkedHashSet<>();

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

  /** True if something was forgotten because there was too much, since this was last asked. */
  synchronized boolean takeMissed() {
    boolean was = missed;
    missed = false;
    return was;
  }

  /** Does what was noted; blocks. */
  void clean(Deadline deadline) {
    List<ChunkRef> dead = new ArrayList<>();
    Set<Partition> places;
    synchronized (this) {
      places = changed;
      dead.addAll(chunks);
      changed = new LinkedHashSet<>();
      chunks = new LinkedHashSet<>();
    }
    boolean done = false;
    try {
      for (Partition place : places) {
        dead.addAll(sweep(place, Long.MAX_VALUE, 0, deadline));
      }
      deleteChunks(dead);
      done = true;
    } finally {
      if (!done) {
        miss();
      }
    }
  }

  private synchronized void miss() {
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
    try {
      for (int look = 0; look < LOOKS_MAX; look++) {
        Swept swept = look(partition, unnamedBefore, markedBefore, deadline);
        if (swept.over()) {
          return swept.chunks();
        }
      }
    } catch (StorageException e) {
      if (e.kind() != StorageException.Kind.SPACE_GONE) {
        throw e;
      }
      return List.of();
    }
    changed(partition);
    return List.of();
  }

  /**
   * What came of a look.
   *
   * @param over false if a write came in between
   */
  private record Swept(boolean over, List<ChunkRef> chunks) {}

  private Swept look(
      Partition partition, long unnamedBefore, long markedBefore, Deadline deadline) {
    LiveContent live =
        live(
            new BlobRecords(engine, partition, deadline), unnamedBefore, markedBefore, Bytes.EMPTY);
    if (live == null) {
      return new Swept(true, List.of());
    }
    List<Bytes> rows = live.garbage();
    for (int at = 0; at < rows.size(); at += RemoveBody.ROWS_MAX) {
      List<Bytes> lot = rows.subList(at, Math.min(rows.size(), at + RemoveBody.ROWS_MAX));
      RemoveBody body = new RemoveBody(live.properties(), lot, List.of());
      List<Bytes> touch = List.of(BlobRows.PROPERTIES);
      if (!BlobWork.join(engine.transact(partition, touch, deadline, body))) {
        return new Swept(false, List.of());
      }
    }
    return new Swept(true, live.garbageChunks().stream().map(ChunkRef::new).toList());
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
