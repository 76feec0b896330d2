package io.lazuli.server.blob.garbage;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.server.blob.encoding.BlobPropertiesCodec;
import io.lazuli.server.blob.encoding.BlobRows;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.Upload;
import io.lazuli.server.blob.partition.BlobRecords;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.CatalogEntry;
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
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that takes away what blobs no longer need. Soon after something was replaced it
 * does what {@link BlobGarbage} noted. Beside that it goes in slow rounds, a bounded part at a
 * time, over all blobs and all chunks: for what a crash left, for uploads that nobody ends, and for
 * chunks whose container is gone. Safe for any thread; has its own once it is started.
 *
 * <h2>Chunks that nothing refers to</h2>
 *
 * A chunk is durable before anything refers to it. So one without a reference is left alone until
 * it is old; then one transaction of its owner writes a mark, which says that the chunk is gone, if
 * nothing was written there since the references were looked at. Whatever would publish the chunk
 * later reads the mark. Only then it is deleted.
 *
 * <h2>Rows that nothing names</h2>
 *
 * While the process lives it knows what it replaces. What it knew is lost when it ends: the first
 * round looks at every row of every blob, later ones only at the properties. Where several servers
 * use the engine, what has no name is looked at twice, a rest apart, before it goes.
 */
public final class BlobCollector implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BlobCollector.class);

  private static final Duration STEP_TIME_MAX = Duration.ofMinutes(5);

  /** Keeps a blob that is written all the time from being checked all the time. */
  private static final Duration BETWEEN_BATCHES = Duration.ofMillis(5);

  private static final Duration BETWEEN_RECHECKS = BlobGarbage.READER_GRACE.dividedBy(10);
  private static final Duration AFTER_FAILURE = Duration.ofMinutes(1);

  /** Below the number of rows that a transaction touches. */
  private static final int CHUNKS_PER_STEP = 900;

  private static final int CLOSE_SECONDS_MAX = 10;
  private static final int BLOBS_PER_STEP = 1_000;
  private static final int CONTAINERS_PER_STEP = 100;

  /**
   * How long what is left alone.
   *
   * @param unpublished chunks and rows that nothing refers to; longer than anybody takes to do so
   * @param unfinished chunks of which nothing more came, and marks of chunks
   * @param uncommitted blocks that wait for their list (blob-rest 15)
   */
  public record Times(
      Duration unpublished,
      Duration unfinished,
      Duration uncommitted,
      Duration betweenRounds,
      Duration betweenSteps) {
    public static final Times DEFAULT =
        new Times(
            BlobGarbage.UNPUBLISHED,
            Duration.ofDays(1),
            Duration.ofDays(7),
            Duration.ofHours(1),
            Duration.ofMillis(200));
  }

  private final StorageEngine engine;
  private final Catalog catalog;
  private final BlobGarbage garbage;
  private final Times times;
  private final ScheduledThreadPoolExecutor thread =
      new ScheduledThreadPoolExecutor(
          1,
          task -> {
            Thread made = new Thread(task, "blob-collector");
            made.setDaemon(true);
            return made;
          });

  /** True while a round is under way. */
  @GuardedBy("this")
  private boolean underWay;

  /** True if this round reads every row; the first one does. */
  @GuardedBy("this")
  private boolean fullRound;

  @GuardedBy("this")
  private boolean firstRound = true;

  @GuardedBy("this")
  private boolean chunksLeft;

  @GuardedBy("this")
  private @Nullable ChunkRef lastChunk;

  /** Homes that this round has still to visit, the one that is being visited first. */
  @GuardedBy("this")
  private final Deque<ServiceHome> homes = new ArrayDeque<>();

  /** The container of that home to go on with, and the first of its blobs. */
  @GuardedBy("this")
  private String container = "";

  @GuardedBy("this")
  private Bytes blob = Bytes.EMPTY;

  public BlobCollector(StorageEngine engine, Catalog catalog, BlobGarbage garbage) {
    this(engine, catalog, garbage, Times.DEFAULT);
  }

  public BlobCollector(StorageEngine engine, Catalog catalog, BlobGarbage garbage, Times times) {
    this.engine = engine;
    this.catalog = catalog;
    this.garbage = garbage;
    this.times = times;
    thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  /** From now on it works by itself. */
  public void start() {
    garbage.onWork(() -> submit(this::clean, Duration.ZERO));
    submit(this::clean, Duration.ZERO);
    submit(this::run, times.betweenSteps());
    if (engine.isShared()) {
      submit(this::recheckKept, BETWEEN_RECHECKS);
    }
  }

  private void submit(Runnable task, Duration delay) {
    try {
      ScheduledFuture<?> unused = thread.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("the collector was closed while it worked");
    }
  }

  private void run() {
    boolean more = false;
    try {
      more = step();
    } catch (RuntimeException e) {
      LOG.warn("a part of a round over blobs was left out; the next round tries again", e);
    }
    submit(this::run, more ? times.betweenSteps() : times.betweenRounds());
  }

  private void clean() {
    try {
      if (garbage.clean(Deadline.after(STEP_TIME_MAX))) {
        submit(this::clean, BETWEEN_BATCHES);
      }
    } catch (RuntimeException e) {
      LOG.warn("replaced content was not removed; the next round tries again", e);
      submit(this::clean, AFTER_FAILURE);
    }
  }

  private void recheckKept() {
    try {
      garbage.recheckKept();
    } catch (StorageException e) {
      LOG.debug("what was replaced is looked at later", e);
    }
    submit(this::recheckKept, BETWEEN_RECHECKS);
  }

  /**
   * Does a part of a round; begins one if none is under way.
   *
   * @return false when the round is over
   */
  public synchronized boolean step() {
    Deadline deadline = Deadline.after(STEP_TIME_MAX);
    if (!underWay) {
      begin(deadline);
    } else if (!homes.isEmpty()) {
      visitContainers(deadline);
    } else {
      visitChunks(deadline);
    }
    underWay = chunksLeft || !homes.isEmpty();
    return underWay;
  }

  @GuardedBy("this")
  private void begin(Deadline deadline) {
    boolean requested = garbage.takeFullRoundRequest();
    fullRound = requested || firstRound;
    firstRound = false;
    chunksLeft = true;
    lastChunk = null;
    container = "";
    blob = Bytes.EMPTY;
    homes.clear();
    homes.addAll(catalog.homes(SpaceKind.CONTAINER, deadline));
  }

  @GuardedBy("this")
  private void visitChunks(Deadline deadline) {
    List<StoredChunk> page = engine.chunks().list(lastChunk, CHUNKS_PER_STEP);
    chunksLeft = page.size() == CHUNKS_PER_STEP;
    lastChunk = page.isEmpty() ? lastChunk : page.get(page.size() - 1).ref();
    Map<Partition, List<ChunkRef>> byOwner = new LinkedHashMap<>();
    for (StoredChunk chunk : page) {
      if (chunk.ticks() < before(chunk.complete() ? times.unpublished() : times.unfinished())) {
        byOwner.computeIfAbsent(chunk.owner(), owner -> new ArrayList<>()).add(chunk.ref());
      }
    }
    List<ChunkRef> dead = new ArrayList<>();
    byOwner.forEach((owner, chunks) -> dead.addAll(unreferenced(owner, chunks, deadline)));
    garbage.deleteChunks(dead);
  }

  /** Those of an owner's chunks to which nothing refers, marked so that nothing will. */
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

  /** Marks the chunks that are not live, so that nothing will refer to them; returns them. */
  private List<ChunkRef> marked(
      Partition owner, LiveContent live, List<ChunkRef> chunks, Deadline deadline) {
    List<ChunkRef> dead =
        chunks.stream().filter(chunk -> !live.holdsChunk(chunk.number())).toList();
    List<Long> numbers = dead.stream().map(ChunkRef::number).toList();
    RemoveBody body = new RemoveBody(live.properties(), List.of(), numbers);
    return dead.isEmpty() || run(owner, body, deadline) ? dead : List.of();
  }

  @GuardedBy("this")
  private void visitContainers(Deadline deadline) {
    ServiceHome home = homes.peek();
    if (home == null) {
      return;
    }
    List<String> names = new ArrayList<>();
    catalog.list(
        home,
        container,
        deadline,
        row -> names.add(row.name()) && names.size() < CONTAINERS_PER_STEP);
    for (String name : names) {
      blob = name.equals(container) ? blob : Bytes.EMPTY;
      container = name;
      Bytes next = visit(home, name, blob, deadline);
      if (next != null) {
        blob = next;
        return;
      }
    }
    if (names.size() < CONTAINERS_PER_STEP) {
      homes.poll();
      container = "";
    } else {
      container += "\0";
    }
    blob = Bytes.EMPTY;
  }

  /** Visits some blobs of a container; gives the first one that is left, or null. */
  @GuardedBy("this")
  private @Nullable Bytes visit(ServiceHome home, String name, Bytes from, Deadline deadline) {
    CatalogEntry entry = catalog.find(home, name, deadline);
    if (entry == null) {
      return null;
    }
    try {
      List<Bytes> due = new ArrayList<>();
      Bytes next = findDue(entry.space(), from, due, deadline);
      List<ChunkRef> dead = new ArrayList<>();
      for (Bytes one : due) {
        dead.addAll(visit(new Partition(entry.space(), one), deadline));
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
      BlobProperties found = new BlobRecords(engine, partition, deadline).find();
      if (found != null && isExpired(found, expired)) {
        boolean unused = run(partition, new ExpireUploadBody(expired), deadline);
      }
      return garbage.sweep(
          partition, before(times.unpublished()), before(times.unfinished()), deadline);
    } catch (StorageException | IllegalStateException e) {
      return skipped(e);
    }
  }

  /**
   * Something could not be looked at, so nothing of it is removed: its container was deleted
   * meanwhile, the engine is busy, or a record is damaged. The round goes on.
   */
  private List<ChunkRef> skipped(RuntimeException e) {
    boolean gone =
        e instanceof StorageException failure && failure.kind() == StorageException.Kind.SPACE_GONE;
    boolean damaged =
        !(e instanceof StorageException failure) || failure.kind() == StorageException.Kind.CORRUPT;
    if (!gone && !damaged) {
      garbage.requestFullRound();
    }
    LOG.debug("a blob was not looked at", e);
    return List.of();
  }

  /** Finds blobs to look at; gives the first one that is left, or null. */
  @GuardedBy("this")
  private @Nullable Bytes findDue(Space space, Bytes from, List<Bytes> due, Deadline deadline) {
    boolean all = fullRound;
    long expired = before(times.uncommitted());
    Bytes[] next = new Bytes[1];
    int[] seen = new int[1];
    engine.scan(
        space,
        List.of(new KeyRange(Position.startOf(from), null)),
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
        });
    return next[0];
  }

  /** What is damaged is looked at, which fails by itself and stops nothing else. */
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
    return Futures.join(engine.transact(partition, touch, deadline, body));
  }

  private long before(Duration age) {
    return engine.now() - age.toMillis() * (Ticks.PER_SECOND / 1_000);
  }

  /** Waits for what it is doing: an interrupt would close files under the store. */
  @Override
  public void close() {
    garbage.onWork(() -> {});
    thread.shutdown();
    try {
      boolean unused = thread.awaitTermination(CLOSE_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
