package io.lazuli.server.blob.garbage;

import io.lazuli.server.blob.encoding.BlobHistory;
import io.lazuli.server.blob.encoding.BlobPropertiesCodec;
import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.encoding.ContainerPropertiesCodec;
import io.lazuli.server.blob.encoding.IndexPartitions;
import io.lazuli.server.blob.index.ProtectionIndex;
import io.lazuli.server.blob.index.TagIndex;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.Upload;
import io.lazuli.server.blob.partition.BlobRecords;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.CatalogEntry;
import io.lazuli.server.catalog.CatalogRow;
import io.lazuli.server.catalog.NameWalk;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.error.Futures;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.LentBytes;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Position;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.StoredChunk;
import io.lazuli.storage.Ticks;
import io.lazuli.storage.TransactionBody;
import io.lazuli.storage.Visit;
import io.lazuli.storage.thread.BackgroundThread;
import io.lazuli.storage.work.Pace;
import io.lazuli.storage.work.SharedWalk;
import io.lazuli.storage.work.WorkBoard;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes content that blobs no longer need, on one thread. Soon after content was replaced, the
 * collector cleans the partitions that {@link BlobGarbage} noted. In addition the servers of a
 * store walk over all blobs and all chunks in slow rounds, a bounded part at a time. The rounds
 * find garbage that a crash left, uploads that nobody finished, and chunks whose container is gone.
 * Thread-safe; starts one thread.
 *
 * <h2>Chunks that nothing refers to</h2>
 *
 * A chunk is durable before anything refers to it, so a chunk without a reference may belong to an
 * upload that is still running. The collector leaves it alone until it is old. Then one transaction
 * in the partition that owns the chunk writes a mark, which says that the chunk is gone. It writes
 * the mark only if the blob's properties have not changed since the collector read the references.
 * A transaction that wants to publish the chunk later reads the mark and is refused. Once the mark
 * is written, the chunk is deleted.
 *
 * <h2>Rows that nothing names</h2>
 *
 * A running process knows which content it replaces. A crash loses that knowledge, so after one a
 * round reads every row of every blob, but not sooner than some hours after the last such round.
 * Other rounds read only the properties. If several servers share the engine, a version is removed
 * only after two checks, a grace period apart, found it unnamed.
 */
public final class BlobCollector implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BlobCollector.class);

  private static final Duration STEP_TIME_MAX = Duration.ofMinutes(5);

  /**
   * The pause between two batches. Without it, a blob that is written constantly would be checked
   * constantly.
   */
  private static final Duration BETWEEN_BATCHES = Duration.ofMillis(5);

  private static final Duration BETWEEN_RECHECKS = BlobGarbage.READER_GRACE.dividedBy(10);
  private static final Duration AFTER_FAILURE = Duration.ofMinutes(1);

  /**
   * The number of chunks in one step. Keeps a transaction below 1,000 rows, which is our own limit.
   */
  private static final int CHUNKS_PER_STEP = 900;

  private static final int BLOBS_PER_STEP = 1_000;
  private static final int CONTAINERS_PER_STEP = 100;
  private static final int SHARDS = 4;

  /**
   * The ages at which garbage is removed, and the pauses of the thread.
   *
   * @param unpublished the age at which chunks and rows that nothing refers to are removed; longer
   *     than any request takes to publish them
   * @param unfinished the age at which incomplete chunks and the marks of deleted chunks are
   *     removed
   * @param uncommitted the age at which blocks that were never committed are removed (blob-rest 15)
   * @param betweenFullRounds the time after which a round reads every row although nothing was lost
   * @param afterLoss the time between two rounds that read every row because something was lost
   * @param piece the time after which a step visits no other blob
   */
  public record Times(
      Duration unpublished,
      Duration unfinished,
      Duration uncommitted,
      Duration betweenRounds,
      Duration betweenSteps,
      Duration betweenFullRounds,
      Duration afterLoss,
      Duration piece) {
    public static final Times DEFAULT =
        new Times(
            BlobGarbage.UNPUBLISHED,
            Duration.ofDays(1),
            Duration.ofDays(7),
            Duration.ofHours(1),
            Duration.ofMillis(200),
            Duration.ofDays(7),
            Duration.ofHours(6),
            SharedWalk.PIECE);
  }

  private final StorageEngine engine;
  private final Catalog catalog;
  private final BlobGarbage garbage;
  private final DueRemovals removals;
  private final TagIndex index;
  private final ProtectionIndex protection;
  private final Times times;
  private final BackgroundThread thread = new BackgroundThread("blob-collector", LOG::warn);

  private final NameWalk names;
  private final WorkBoard board;
  private final SharedWalk containers;
  private final SharedWalk chunks;

  public BlobCollector(
      StorageEngine engine, Catalog catalog, BlobGarbage garbage, WorkBoard board) {
    this(engine, catalog, garbage, board, Times.DEFAULT);
  }

  public BlobCollector(
      StorageEngine engine, Catalog catalog, BlobGarbage garbage, WorkBoard board, Times times) {
    this.engine = engine;
    this.catalog = catalog;
    this.garbage = garbage;
    this.removals = new DueRemovals(engine, garbage);
    this.index = new TagIndex(engine, ForkJoinPool.commonPool());
    this.protection = new ProtectionIndex(engine, ForkJoinPool.commonPool());
    this.times = times;
    this.names = new NameWalk(catalog, SpaceKind.CONTAINER, times.piece());
    this.board = board;
    this.containers =
        board.walk(
            "containers",
            SHARDS,
            Pace.withFullRounds(
                times.betweenRounds(), times.betweenFullRounds(), times.afterLoss()));
    this.chunks = board.walk("chunks", 1, Pace.every(times.betweenRounds()));
  }

  /** Starts the thread. */
  public void start() {
    BackgroundThread.Job cleaning = thread.repeat(Duration.ZERO, AFTER_FAILURE, this::clean);
    garbage.onWork(cleaning::wake);
    board.onKept(garbage::changed);
    thread.repeat(
        times.betweenSteps(),
        AFTER_FAILURE,
        () -> {
          if (garbage.takeFullRoundRequest()) {
            board.lose();
          }
          return containers.step(times.betweenSteps(), this::visitContainers);
        });
    thread.repeat(
        times.betweenSteps(),
        AFTER_FAILURE,
        () -> chunks.step(times.betweenSteps(), (shard, from, full) -> visitChunks(from)));
    if (engine.isShared()) {
      thread.repeat(BETWEEN_RECHECKS, BETWEEN_RECHECKS, this::recheckKept);
    }
    thread.start();
  }

  /** Returns one line about work that failed; empty if the last steps succeeded. */
  public String trouble() {
    return thread.trouble();
  }

  private Duration clean() {
    boolean more = garbage.clean(Deadline.after(STEP_TIME_MAX));
    return more ? BETWEEN_BATCHES : BackgroundThread.UNTIL_WOKEN;
  }

  private Duration recheckKept() {
    garbage.recheckKept();
    return BETWEEN_RECHECKS;
  }

  /** Runs a round over every row of every blob, and over all chunks, now. Blocks. */
  public void round() {
    for (int shard = 0; shard < SHARDS; shard++) {
      Bytes next = Bytes.EMPTY;
      while (next != null) {
        next = visitContainers(shard, next, true);
      }
    }
    Bytes next = Bytes.EMPTY;
    while (next != null) {
      next = visitChunks(next);
    }
  }

  /** Visits some chunks after a position. Returns the next position; null after the last chunk. */
  private @Nullable Bytes visitChunks(Bytes from) {
    Deadline deadline = Deadline.after(STEP_TIME_MAX);
    ChunkRef last =
        from.length() == 0 ? null : new ChunkRef(ByteBuffer.wrap(from.array()).getLong());
    List<StoredChunk> page = Futures.await(engine.chunks().list(last, CHUNKS_PER_STEP));
    Map<Partition, List<ChunkRef>> byOwner = new LinkedHashMap<>();
    for (StoredChunk chunk : page) {
      if (chunk.ticks() < before(chunk.complete() ? times.unpublished() : times.unfinished())) {
        byOwner.computeIfAbsent(chunk.owner(), owner -> new ArrayList<>()).add(chunk.ref());
      }
    }
    List<ChunkRef> dead = new ArrayList<>();
    byOwner.forEach((owner, refs) -> dead.addAll(unreferenced(owner, refs, deadline)));
    garbage.deleteChunks(dead);
    return page.size() < CHUNKS_PER_STEP
        ? null
        : Bytes.of(
            ByteBuffer.allocate(Long.BYTES)
                .putLong(page.get(CHUNKS_PER_STEP - 1).ref().number())
                .array());
  }

  /**
   * Selects the chunks that nothing refers to and marks them, so that nothing ever will. Returns
   * the marked chunks.
   */
  private List<ChunkRef> unreferenced(Partition owner, List<ChunkRef> chunks, Deadline deadline) {
    try {
      BlobRecords records = new BlobRecords(engine, owner, deadline);
      return garbage
          .live(records, before(times.unpublished()), 0, BlobRows.SEGMENTS)
          .map(live -> marked(owner, live, chunks, deadline))
          .orElse(List.of());
    } catch (StorageException e) {
      boolean gone = e.kind() == StorageException.Kind.SPACE_GONE;
      return gone && garbage.use().isUnused(owner) ? chunks : skipped(e);
    } catch (IllegalStateException e) {
      return skipped(e);
    }
  }

  /**
   * Marks the chunks that are not live, so that nothing will ever refer to them. Returns them, or
   * nothing if the blob has changed.
   */
  private List<ChunkRef> marked(
      Partition owner, LiveContent live, List<ChunkRef> chunks, Deadline deadline) {
    List<ChunkRef> dead =
        chunks.stream()
            .filter(chunk -> !live.holdsChunk(chunk.number()) && !isOfPages(owner, chunk, deadline))
            .toList();
    List<Long> numbers = dead.stream().map(ChunkRef::number).toList();
    RemoveBody body = new RemoveBody(live.properties(), live.history(), List.of(), numbers);
    return dead.isEmpty() || run(owner, body, deadline) ? dead : List.of();
  }

  private boolean isOfPages(Partition owner, ChunkRef chunk, Deadline deadline) {
    BlobRecords records = new BlobRecords(engine, owner, deadline);
    return Futures.await(records.has(BlobRows.pageChunk(chunk.number())));
  }

  /**
   * Visits some containers of a shard.
   *
   * @param full true if every row of every blob is to be read
   * @return where the next call continues; null after the last container
   */
  private @Nullable Bytes visitContainers(int shard, Bytes from, boolean full) {
    Deadline deadline = Deadline.after(STEP_TIME_MAX);
    return names.piece(
        from,
        CONTAINERS_PER_STEP * SHARDS,
        deadline,
        new NameWalk.Visitor() {
          @Override
          public void begin(ServiceHome home) {
            if (containers.shardOf(home.account()) == shard) {
              removeDeleted(home, deadline);
            }
          }

          @Override
          public @Nullable Bytes visit(ServiceHome home, String name, Bytes blob, Deadline until) {
            return containers.shardOf(home.account() + "/" + name) == shard
                ? BlobCollector.this.visit(home, name, blob, full, until, deadline)
                : null;
          }
        });
  }

  /** Removes the containers of a home that can no longer be restored. */
  private void removeDeleted(ServiceHome home, Deadline deadline) {
    boolean more = true;
    while (more) {
      more =
          Futures.await(
              catalog
                  .deletedNames()
                  .removeDue(home, (row, space) -> isKept(row, space, deadline), deadline));
    }
  }

  /**
   * Returns true if something in a deleted container is protected. It was not when the container
   * was deleted, but the clock may have been set back since.
   */
  private CompletableFuture<Boolean> isKept(CatalogRow row, Space space, Deadline deadline) {
    return ContainerPropertiesCodec.decode(row.metadata()).guard() == 0
        ? CompletableFuture.completedFuture(false)
        : protection.hasProtected(space, deadline);
  }

  /**
   * Visits some blobs of a container. Returns the first blob that was not visited; null after the
   * last.
   */
  private @Nullable Bytes visit(
      ServiceHome home, String name, Bytes from, boolean full, Deadline until, Deadline deadline) {
    CatalogEntry entry = Futures.await(catalog.find(home, name, deadline));
    if (entry == null) {
      return null;
    }
    try {
      if (from.equals(Bytes.EMPTY)) {
        removals.removeExpired(entry.space(), deadline);
        Futures.await(protection.review(entry.space(), deadline));
      }
      List<Bytes> due = new ArrayList<>();
      Bytes next = findDue(entry.space(), from, due, full, deadline);
      List<ChunkRef> dead = new ArrayList<>();
      for (int i = 0; i < due.size(); i++) {
        dead.addAll(visit(new Partition(entry.space(), due.get(i)), deadline));
        if (until.hasPassed() && i + 1 < due.size()) {
          next = due.get(i + 1);
          break;
        }
      }
      garbage.deleteChunks(dead);
      return next;
    } catch (StorageException e) {
      List<ChunkRef> unused = skipped(e);
      return null;
    }
  }

  private List<ChunkRef> visit(Partition partition, Deadline deadline) {
    try {
      long expired = before(times.uncommitted());
      BlobProperties found = Futures.await(new BlobRecords(engine, partition, deadline).find());
      if (found != null && isExpired(found, expired)) {
        boolean unused = run(partition, new ExpireUploadBody(expired), deadline);
      }
      if (found != null && found.isSearchable() && found.tags().isUnindexed()) {
        boolean unused = Futures.await(index.restamp(partition, found.tags(), deadline));
      }
      if (hasVersions(partition, deadline)) {
        Futures.await(index.stampVersions(partition, deadline));
      }
      return garbage.sweep(
          partition, before(times.unpublished()), before(times.unfinished()), deadline);
    } catch (StorageException | IllegalStateException e) {
      return skipped(e);
    }
  }

  private boolean hasVersions(Partition partition, Deadline deadline) {
    byte[] history = Futures.await(engine.read(partition.row(BlobRows.HISTORY), deadline));
    return history != null && BlobHistory.decode(history).versions() > 0;
  }

  /**
   * Skips a blob that could not be read and removes nothing of it: its container was deleted in
   * between, the engine is busy, or a record is damaged. The round goes on.
   */
  private List<ChunkRef> skipped(RuntimeException e) {
    boolean gone =
        e instanceof StorageException failure && failure.kind() == StorageException.Kind.SPACE_GONE;
    boolean damaged =
        !(e instanceof StorageException failure) || failure.kind() == StorageException.Kind.CORRUPT;
    if (!gone && !damaged) {
      garbage.requestFullRound();
    }
    LOG.debug("a blob could not be checked and was skipped", e);
    return List.of();
  }

  /**
   * Adds the blobs that need a visit to {@code due}. Returns the first blob that was not examined;
   * null after the last.
   */
  private @Nullable Bytes findDue(
      Space space, Bytes from, List<Bytes> due, boolean all, Deadline deadline) {
    long expired = before(times.uncommitted());
    Bytes[] next = new Bytes[1];
    int[] seen = new int[1];
    Futures.await(
        engine.scan(
            space,
            List.of(new KeyRange(Position.startOf(from), IndexPartitions.END_OF_BLOBS)),
            Direction.FORWARD,
            deadline,
            record -> {
              Bytes name = Bytes.of(record.partition().copy());
              if (seen[0] == BLOBS_PER_STEP) {
                next[0] = name;
                return Visit.STOP;
              }
              Bytes row = Bytes.of(record.row().copy());
              if (!all && row.compareTo(BlobRows.PROPERTIES) < 0) {
                return Visit.skipTo(new Position(name, BlobRows.PROPERTIES));
              }
              seen[0]++;
              if (all || (row.equals(BlobRows.PROPERTIES) && isExpired(record.value(), expired))) {
                due.add(name);
              }
              return Visit.skipTo(Position.endOf(name));
            }));
    return next[0];
  }

  /**
   * Returns true if the upload has expired. Damaged properties count as expired: the visit then
   * fails without stopping the round.
   */
  private static boolean isExpired(LentBytes properties, long before) {
    try {
      return isExpired(BlobPropertiesCodec.decode(properties.copy()), before);
    } catch (IllegalStateException e) {
      return true;
    }
  }

  private static boolean isExpired(BlobProperties found, long before) {
    Upload upload = found.upload();
    return upload.number() != 0 && upload.lastTicks() < before;
  }

  private boolean run(Partition partition, TransactionBody<Boolean> body, Deadline deadline) {
    List<Bytes> touch = List.of(BlobRows.PROPERTIES);
    return Futures.await(engine.transact(partition, touch, deadline, body));
  }

  private long before(Duration age) {
    return engine.now() - age.toMillis() * (Ticks.PER_SECOND / 1_000);
  }

  /**
   * Stops the thread after its current step. The step is not interrupted, because an interrupt
   * would close files that the store is using.
   */
  @Override
  public void close() {
    garbage.onWork(() -> {});
    thread.close();
    Set<Partition> known = garbage.known();
    if (known == null || !board.keep(known)) {
      board.lose();
    }
  }
}
