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
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Removes content that nothing names any more. Writers note the partitions in which they replaced
 * content, and do not wait; the collector's thread cleans these partitions soon after. Content that
 * is still being read stays until nobody reads it. Mutable, thread-safe.
 *
 * <p>A write may come between the reading of a partition and the removal. {@link RemoveBody} then
 * does nothing, and the partition is noted again. {@link PartitionUse} knows the content that this
 * process is about to name, so all other unnamed content is garbage immediately, whatever its age.
 *
 * <p>If other servers share the engine, this process does not know what they are about to name or
 * are reading. It then keeps unnamed content until it is old, and replaced versions for a grace
 * period ({@link UnnamedVersions}).
 */
public final class BlobGarbage {
  /**
   * The maximum number of noted partitions and chunks, and of remembered unnamed versions. If there
   * are more, a full round finds the rest.
   */
  private static final int NOTED_MAX = 100_000;

  /**
   * The maximum number of partitions in a batch, whose removals share the wait for the disk; also
   * of chunks.
   */
  private static final int BATCH_MAX = 256;

  /** The age from which unnamed content is garbage: longer than any upload takes to name it. */
  public static final Duration UNPUBLISHED = Duration.ofHours(1);

  /** How long replaced content is kept for readers on other servers. */
  public static final Duration READER_GRACE = Duration.ofMinutes(10);

  private final StorageEngine engine;
  private final boolean shared;
  private final UnnamedVersions unnamed = new UnnamedVersions(ticks(READER_GRACE), NOTED_MAX);
  private final PartitionUse use = new PartitionUse(this::changed);

  @GuardedBy("this")
  private final Set<Partition> changed = new LinkedHashSet<>();

  @GuardedBy("this")
  private final Set<ChunkRef> chunks = new LinkedHashSet<>();

  @GuardedBy("this")
  private final Set<EndedUpload> uploads = new LinkedHashSet<>();

  /** The partitions of the batch that is being cleaned; they are not noted any more. */
  @GuardedBy("this")
  private final Set<Partition> underWay = new LinkedHashSet<>();

  @GuardedBy("this")
  private boolean fullRoundNeeded;

  @GuardedBy("this")
  private Runnable wake = () -> {};

  public BlobGarbage(StorageEngine engine) {
    this.engine = engine;
    this.shared = engine.isShared();
  }

  /**
   * Returns the record of partitions in use. A reader or writer announces itself there before it
   * reads a partition.
   */
  public PartitionUse use() {
    return use;
  }

  /** Returns the number of noted partitions, uploads and chunks that are not cleaned yet. */
  public synchronized int waiting() {
    return changed.size() + uploads.size() + chunks.size();
  }

  /** Notes a partition that may contain garbage now, even if no name leads to its container. */
  public synchronized void changed(Partition partition) {
    note(changed, partition.withoutGate());
  }

  /** Notes an upload whose blocks are garbage now, unless its block list names them. */
  public synchronized void ended(EndedUpload upload) {
    Partition partition = upload.partition().withoutGate();
    note(uploads, new EndedUpload(partition, upload.upload(), upload.content()));
  }

  /** Notes a chunk that nothing refers to, now or later. */
  public synchronized void delete(ChunkRef chunk) {
    note(chunks, chunk);
  }

  @GuardedBy("this")
  private <T> void note(Set<T> noted, T item) {
    int before = waiting();
    if (before >= NOTED_MAX) {
      fullRoundNeeded = true;
      return;
    }
    noted.add(item);
    if (before == 0) {
      wake.run();
    }
  }

  /**
   * Notes the partitions whose unnamed versions have been kept long enough for readers on other
   * servers.
   */
  public void recheckKept() {
    unnamed.due(engine.now()).forEach(this::changed);
  }

  /**
   * Returns true if content that was begun at the given time and is still unnamed may soon count as
   * garbage.
   */
  public boolean isLate(long beganTicks) {
    return shared && beganTicks < engine.now() - ticks(UNPUBLISHED) / 2;
  }

  /**
   * Sets the callback that announces new work.
   *
   * @param newWake must not block
   */
  synchronized void onWork(Runnable newWake) {
    wake = newWake;
  }

  /**
   * Returns the partitions that may contain garbage of which only this process knows; null if it
   * does not know all of them. Chunks that nothing refers to are found without notes.
   */
  synchronized @Nullable Set<Partition> known() {
    if (fullRoundNeeded) {
      return null;
    }
    Set<Partition> known = new LinkedHashSet<>(changed);
    uploads.forEach(upload -> known.add(upload.partition()));
    known.addAll(underWay);
    known.addAll(unnamed.partitions());
    return known;
  }

  /** Returns true if a full round was requested since the last call. */
  synchronized boolean takeFullRoundRequest() {
    boolean needed = fullRoundNeeded;
    fullRoundNeeded = false;
    return needed;
  }

  /**
   * Cleans one batch of the noted partitions and chunks; blocks.
   *
   * @return true if there is more to do
   */
  public boolean clean(Deadline deadline) {
    List<Partition> partitions;
    List<EndedUpload> ended;
    List<ChunkRef> dead;
    synchronized (this) {
      partitions = take(changed);
      ended = take(uploads);
      dead = take(chunks);
      underWay.addAll(partitions);
      ended.forEach(upload -> underWay.add(upload.partition()));
    }
    boolean done = false;
    try {
      List<Removal> removals = new ArrayList<>();
      for (Partition partition : partitions) {
        begin(partition, unnamedBefore(), 0, deadline).ifPresent(removals::add);
      }
      removals.forEach(removal -> dead.addAll(end(removal)));
      ended.forEach(upload -> dead.addAll(swept(upload, deadline)));
      deleteChunks(dead);
      done = true;
    } finally {
      synchronized (this) {
        underWay.clear();
        fullRoundNeeded |= !done;
      }
    }
    synchronized (this) {
      return waiting() > 0;
    }
  }

  /** Removes the rest of an upload. Returns the chunks that can be deleted. */
  private List<ChunkRef> swept(EndedUpload upload, Deadline deadline) {
    try {
      Optional<List<ChunkRef>> dead = new UploadSweep(engine, upload, deadline).run();
      if (dead.isEmpty()) {
        changed(upload.partition());
      }
      return dead.orElse(List.of());
    } catch (StorageException e) {
      requireGone(upload.partition(), e);
      return List.of();
    }
  }

  private long unnamedBefore() {
    return shared ? engine.now() - ticks(UNPUBLISHED) : Long.MAX_VALUE;
  }

  private static <T> List<T> take(Set<T> noted) {
    List<T> taken = new ArrayList<>();
    Iterator<T> left = noted.iterator();
    while (left.hasNext() && taken.size() < BATCH_MAX) {
      taken.add(left.next());
      left.remove();
    }
    return taken;
  }

  /**
   * Requests a round over every row of every blob, because only such a round finds the garbage that
   * was left.
   */
  public synchronized void requestFullRound() {
    fullRoundNeeded = true;
  }

  /**
   * Removes the garbage of one partition; blocks.
   *
   * @param unnamedBefore younger unnamed content is kept
   * @param markedBefore younger marks of chunks are kept
   * @return the chunks that can be deleted
   */
  List<ChunkRef> sweep(
      Partition partition, long unnamedBefore, long markedBefore, Deadline deadline) {
    return begin(partition, unnamedBefore, markedBefore, deadline).map(this::end).orElse(List.of());
  }

  /**
   * A removal that has begun.
   *
   * @param removed false if a write came in between, so that nothing was removed
   */
  private record Removal(
      Partition partition,
      LiveContent live,
      CompletableFuture<Boolean> removed,
      Deadline deadline) {}

  /** Begins to remove the garbage of a partition. Returns empty if nothing can be removed now. */
  private Optional<Removal> begin(
      Partition partition, long unnamedBefore, long markedBefore, Deadline deadline) {
    if (shared && unnamed.isKept(partition, engine.now())) {
      return Optional.empty();
    }
    try {
      BlobRecords records = new BlobRecords(engine, partition, deadline);
      return live(records, unnamedBefore, markedBefore, Bytes.EMPTY)
          .map(live -> new Removal(partition, live, remove(partition, live, deadline), deadline));
    } catch (StorageException e) {
      requireGone(partition, e);
      return Optional.empty();
    }
  }

  /** Removes rows in batches, one after another. Waits for all of them but the last. */
  private CompletableFuture<Boolean> remove(
      Partition partition, LiveContent live, Deadline deadline) {
    List<Bytes> rows = live.garbage();
    CompletableFuture<Boolean> removed = CompletableFuture.completedFuture(true);
    for (int at = 0; at < rows.size() && Futures.await(removed); at += RemoveBody.ROWS_MAX) {
      List<Bytes> batch = rows.subList(at, Math.min(rows.size(), at + RemoveBody.ROWS_MAX));
      RemoveBody body = new RemoveBody(live.properties(), live.history(), batch, List.of());
      removed = engine.transact(partition, List.of(BlobRows.PROPERTIES), deadline, body);
    }
    return removed;
  }

  /** Waits for a removal to end. Returns the chunks that can be deleted. */
  private List<ChunkRef> end(Removal removal) {
    Partition partition = removal.partition();
    LiveContent live = removal.live();
    try {
      if (Futures.await(removal.removed())) {
        if (shared && !live.keepsUnnamed()) {
          unnamed.forget(partition);
        }
        List<ChunkRef> dead = new ArrayList<>();
        live.garbageChunks().forEach(chunk -> dead.add(new ChunkRef(chunk)));
        dead.addAll(sweptPages(partition, live, removal.deadline()));
        return dead;
      }
      if (shared) {
        unnamed.restore(partition, live.garbageVersions());
      }
      changed(partition);
    } catch (StorageException e) {
      requireGone(partition, e);
    }
    return List.of();
  }

  /** Removes pages that nothing sees. Returns the chunks that can be deleted. */
  private List<ChunkRef> sweptPages(Partition partition, LiveContent live, Deadline deadline) {
    BlobRecords records = new BlobRecords(engine, partition, deadline);
    long kept = shared ? engine.now() - ticks(READER_GRACE) : Long.MAX_VALUE;
    PageSweep pages = new PageSweep(engine, use, records, kept, deadline);
    switch (pages.sweep(live)) {
      case MORE -> changed(partition);
      case HELD -> use.await(partition);
      case COMPLETE -> {}
    }
    return pages.dead();
  }

  /**
   * Throws the failure unless it means that the container is gone. The collector finds the chunks
   * of such a container by their owner.
   */
  private void requireGone(Partition partition, StorageException e) {
    if (e.kind() != StorageException.Kind.SPACE_GONE) {
      throw e;
    }
    unnamed.forget(partition);
  }

  /**
   * Finds the live content of a partition, including versions that are being read. Returns empty if
   * the partition is in use, because the live content cannot be known then; the partition is noted
   * again when the use ends. Blocks.
   *
   * @param from the first row to read
   */
  Optional<LiveContent> live(
      BlobRecords records, long unnamedBefore, long markedBefore, Bytes from) {
    byte[] properties = Futures.await(records.propertiesRecord());
    LiveContent live = new LiveContent(properties, unnamedBefore, markedBefore);
    Futures.await(records.visit(from, live::add));
    // Must follow the scan: if the scan saw unnamed content, its writer is still announced here, or
    // it has failed.
    PartitionUse.InUse inUse = use.inUse(records.partition());
    if (inUse.everything()) {
      use.await(records.partition());
      return Optional.empty();
    }
    live.hold(inUse.versions());
    if (live.isHeld()) {
      use.await(records.partition());
    }
    if (shared) {
      keepForOtherServers(records.partition(), live);
    }
    return Optional.of(live);
  }

  /**
   * Keeps versions that became unnamed a short time ago, because other servers may be reading them.
   */
  private void keepForOtherServers(Partition partition, LiveContent live) {
    Set<Long> kept = live.unnamed();
    if (!kept.isEmpty() || live.keepsUnnamed()) {
      kept.removeAll(unnamed.removable(partition, live.unnamed(), engine.now()));
      live.hold(kept);
      if (unnamed.isFull()) {
        requestFullRound();
      }
    }
  }

  private static long ticks(Duration time) {
    return time.toMillis() * (Ticks.PER_SECOND / 1_000);
  }

  /** Deletes chunks; blocks. */
  void deleteChunks(List<ChunkRef> dead) {
    if (!dead.isEmpty()) {
      Futures.await(engine.chunks().delete(dead));
    }
  }
}
