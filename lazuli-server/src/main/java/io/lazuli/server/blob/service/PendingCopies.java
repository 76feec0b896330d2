package io.lazuli.server.blob.service;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.server.blob.encoding.IndexPartitions;
import io.lazuli.server.blob.encoding.PendingCopy;
import io.lazuli.server.blob.garbage.BlobGarbage;
import io.lazuli.server.blob.model.BlobContent;
import io.lazuli.server.blob.model.BlobErrors;
import io.lazuli.server.blob.model.BlobLimits;
import io.lazuli.server.blob.model.BlobProperties;
import io.lazuli.server.blob.model.BlobTags;
import io.lazuli.server.blob.model.BlobType;
import io.lazuli.server.blob.model.CopyProperties;
import io.lazuli.server.blob.model.CopyStatus;
import io.lazuli.server.blob.partition.BlobRecords;
import io.lazuli.server.blob.partition.NewContent;
import io.lazuli.server.blob.request.BodyDigest;
import io.lazuli.server.blob.request.Conditions;
import io.lazuli.server.blob.request.ETagCondition;
import io.lazuli.server.blob.request.ExternalSource;
import io.lazuli.server.blob.service.BlobOperation.AbortCopy;
import io.lazuli.server.blob.service.BlobOperation.CopyBlob;
import io.lazuli.server.blob.service.BlobOperation.Source;
import io.lazuli.server.blob.service.BlobOutcome.BlobChanged;
import io.lazuli.server.blob.service.BlobOutcome.Done;
import io.lazuli.server.blob.transaction.BlobTerms;
import io.lazuli.server.blob.transaction.CopyBody;
import io.lazuli.server.blob.transaction.CopyProgressBody;
import io.lazuli.server.blob.transaction.EndCopyBody;
import io.lazuli.server.blob.transaction.NewBlob;
import io.lazuli.server.blob.transaction.TransactionResult;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.StorageFailures;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.Futures;
import io.lazuli.server.error.ServiceException;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.Ticks;
import io.lazuli.storage.thread.BackgroundThread;
import io.lazuli.storage.work.Pace;
import io.lazuli.storage.work.SharedWalk;
import io.lazuli.storage.work.WorkBoard;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies from other servers that go on after their request was answered (blob-features 5.2).
 *
 * <h2>How a copy survives a restart</h2>
 *
 * A row in {@link IndexPartitions#COPIES} of the container is written before the transaction that
 * makes the blob pending, and removed after the transaction that ends the copy. So every pending
 * blob has a row. After a start that follows a loss, and on a shared engine from time to time, a
 * thread reads the rows of all containers and takes up the copies whose blob is still pending. A
 * stop counts a loss if it leaves such a copy, or if one has left the memory before. It counts it
 * last: a round of this process would take the loss for done, but does not take up its copies. A
 * copy begins again at its first byte; nothing of an unfinished attempt is visible, and the
 * collector removes it.
 *
 * <p>On a shared engine a server takes up only copies that nobody has touched for a while. If two
 * servers still work on the same copy, only one can end it ({@link EndCopyBody}), and both read the
 * same source with the same tag.
 *
 * <p>Thread-safe; starts one thread, which only begins the copies. The bytes pass on the workers.
 */
public final class PendingCopies implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PendingCopies.class);

  /** The most copies that transfer bytes at a time; the others wait. */
  static final int RUNNING_MAX = 8;

  /** The most copies that one server has taken up. Further ones are answered with 503. */
  static final int KNOWN_MAX = 10_000;

  private static final int ATTEMPTS_MAX = 8;
  private static final int SHARDS = 4;
  private static final Duration BETWEEN_STEPS = Duration.ofMillis(5);
  private static final Duration STEP_TIME_MAX = Duration.ofSeconds(30);
  private static final Duration AFTER_FAILURE = Duration.ofMinutes(1);

  /**
   * The times of pending copies.
   *
   * @param retry the pause before the second attempt, which doubles with each further one
   * @param attempt the longest time of one attempt; shorter than the collector keeps unfinished
   *     chunks
   * @param touch the time between two stored states of progress
   * @param untouched the age from which another server may take up a copy
   * @param whole the time after which a copy fails
   */
  public record Times(
      Duration retry, Duration attempt, Duration touch, Duration untouched, Duration whole) {
    public static final Times DEFAULT =
        new Times(
            Duration.ofSeconds(5),
            Duration.ofHours(12),
            Duration.ofSeconds(10),
            Duration.ofMinutes(5),
            Duration.ofDays(14));
  }

  /** A copy that this server has taken up. It goes on while its container is soft-deleted. */
  private record Job(Partition target, PendingCopy copy, int attempt, long dueNanos) {
    Job {
      target = target.withoutGate();
    }
  }

  private final StorageEngine engine;
  private final BlobPartitions partitions;
  private final BlobGarbage garbage;
  private final PendingCopyIndex index;
  private final ExternalSources sources;
  private final Times times;
  private final BackgroundThread thread = new BackgroundThread("pending-copies", LOG::warn);
  private volatile Runnable wake = () -> {};
  private volatile Runnable wakeTakeUp = () -> {};
  private volatile Runnable forget = () -> {};
  private volatile long startedTicks;

  @GuardedBy("this")
  private final Map<UUID, Job> waiting = new LinkedHashMap<>();

  /** The copies that transfer bytes; the content is null until the source has answered. */
  @GuardedBy("this")
  private final Map<UUID, @Nullable ExternalContent> running = new HashMap<>();

  @GuardedBy("this")
  private boolean closed;

  /** True if a copy may be pending that is not in memory any more. */
  @GuardedBy("this")
  private boolean abandoned;

  /** True after the stop, when no round begins any more. */
  @GuardedBy("this")
  private boolean ended;

  PendingCopies(
      StorageEngine engine,
      Catalog catalog,
      BlobPartitions partitions,
      BlobGarbage garbage,
      ExternalSources sources,
      Times times) {
    this.engine = engine;
    this.partitions = partitions;
    this.garbage = garbage;
    this.sources = sources;
    this.times = times;
    this.index = new PendingCopyIndex(engine, catalog, KNOWN_MAX);
  }

  /** Starts the thread, which first takes up the copies of an earlier run. */
  public void start(WorkBoard board) {
    startedTicks = engine.now();
    SharedWalk walk =
        board.walk(
            "copies", SHARDS, engine.isShared() ? Pace.every(times.untouched()) : Pace.afterLoss());
    BackgroundThread.Job starting = thread.repeat(Duration.ZERO, AFTER_FAILURE, this::startDue);
    wake = starting::wake;
    BackgroundThread.Job takingUp =
        thread.repeat(
            Duration.ZERO,
            AFTER_FAILURE,
            () ->
                walk.step(
                    BETWEEN_STEPS,
                    (shard, from, full) -> index.visit(walk, shard, from, this::takeUp)));
    wakeTakeUp =
        () -> {
          walk.request();
          takingUp.wake();
        };
    board.onShards(takingUp::wake);
    if (!engine.isShared()) {
      forget = board::lose;
    }
    thread.start();
  }

  /** Takes up the copies of containers that were restored since the last time. */
  void takeUpAgain() {
    wakeTakeUp.run();
  }

  /** Returns one line about work that failed; empty if the last steps succeeded. */
  public String trouble() {
    return thread.trouble();
  }

  /**
   * Begins a copy: checks the blob and the source, and makes the blob pending. The source is read
   * later.
   */
  CompletableFuture<BlobOutcome> begin(
      String account, CopyBlob copy, UUID id, boolean mayOverwrite, Deadline deadline) {
    if (!(copy.source().from() instanceof ExternalSource from)) {
      throw new IllegalStateException("the source is on this server");
    }
    synchronized (this) {
      if (waiting.size() + running.size() >= KNOWN_MAX) {
        throw CommonErrors.SERVER_BUSY.exception();
      }
    }
    BlobTerms terms = BlobTerms.of(copy.terms(), engine, mayOverwrite);
    return partitions.onBlob(
        account,
        copy.at(),
        deadline,
        target ->
            new BlobRecords(engine, target, deadline)
                .find()
                .thenCompose(
                    there -> {
                      Refusals.check(terms.writeRefusal(Conditions.Use.COPY_TARGET, there));
                      return sources.open(copy.source());
                    })
                .thenComposeAsync(
                    head -> {
                      head.close();
                      PendingCopy row = row(copy, from, id, head);
                      return begin(target, row, body(copy, terms, id, head), deadline);
                    },
                    partitions.workers()));
  }

  private PendingCopy row(CopyBlob copy, ExternalSource from, UUID id, ExternalContent head) {
    if (head.length() > BlobLimits.PENDING_COPY_BYTES_MAX) {
      throw BlobErrors.COPY_SOURCE_TOO_LARGE.exception();
    }
    long now = engine.now();
    return new PendingCopy(id, copy.at().blob(), from.url(), head.etag(), head.length(), now, now);
  }

  private static CopyBody body(CopyBlob copy, BlobTerms terms, UUID id, ExternalContent head) {
    BlobTags tags = copy.tags();
    NewBlob blob =
        new NewBlob(
            head.type(),
            head.http(),
            copy.metadata() == null ? head.metadata() : copy.metadata(),
            tags == null ? BlobTags.NONE : tags,
            copy.tier(),
            copy.immutability(),
            new CopyProperties(id, copy.url(), CopyStatus.PENDING, 0, head.length(), 0));
    boolean sealed = head.type() == BlobType.APPEND && Boolean.TRUE.equals(copy.seal());
    return new CopyBody(
        terms, Conditions.Use.COPY_TARGET, blob, 0, new BlobContent(0, 0, 0, sealed), null);
  }

  private CompletableFuture<BlobOutcome> begin(
      Partition target, PendingCopy row, CopyBody body, Deadline deadline) {
    Job job = new Job(target, row, 1, System.nanoTime());
    return index
        .write(job.target().space(), row, deadline)
        .thenCompose(written -> partitions.run(target, deadline, body))
        .thenApply(TransactionResult::orThrow)
        .whenComplete(
            (made, failure) -> {
              if (failure == null) {
                garbage.changed(target);
                add(job);
              } else if (!StorageFailures.isUnknownOutcome(failure)) {
                CompletableFuture<?> unused = remove(job);
              } else {
                abandon();
              }
            })
        .thenApply(BlobChanged::new);
  }

  /** Ends a pending copy on request. */
  CompletableFuture<BlobOutcome> abort(String account, AbortCopy abort, Deadline deadline) {
    EndCopyBody body =
        new EndCopyBody(
            abort.copyId(),
            CopyStatus.ABORTED,
            null,
            null,
            new EndCopyBody.Abort(abort.leaseId(), engine.now()));
    // The end of the transfer discards its chunk, which waits for the engine. A thread of the
    // engine
    // would wait for itself.
    return partitions
        .writing(account, abort.at(), deadline, body)
        .thenApplyAsync(
            result -> {
              BlobProperties unused = result.orThrow();
              interrupt(abort.copyId());
              return new Done();
            },
            partitions.workers());
  }

  /** Ends the transfer of a copy, whose next step then finds that the copy is not pending. */
  private void interrupt(UUID id) {
    ExternalContent content;
    synchronized (this) {
      content = running.get(id);
    }
    if (content != null) {
      content.close();
    }
    wake.run();
  }

  private CompletableFuture<Boolean> remove(Job job) {
    return index.remove(job.target().space(), job.copy().id(), Deadline.after(STEP_TIME_MAX));
  }

  private void add(Job job) {
    boolean late;
    synchronized (this) {
      late = closed;
      if (!closed && !running.containsKey(job.copy().id())) {
        waiting.putIfAbsent(job.copy().id(), job);
      }
    }
    if (late) {
      abandon();
    }
    wake.run();
  }

  /** Leaves a copy, which may be pending, to the next start. */
  private void abandon() {
    boolean late;
    synchronized (this) {
      abandoned = true;
      late = ended;
    }
    if (late) {
      forget.run();
    }
  }

  /** Begins the copies that are due, as many as may run. Returns the pause until the next. */
  private Duration startDue() {
    List<Job> due = new ArrayList<>();
    long next = Long.MAX_VALUE;
    synchronized (this) {
      long now = System.nanoTime();
      for (Job job : List.copyOf(waiting.values())) {
        if (running.size() >= RUNNING_MAX) {
          break;
        } else if (job.dueNanos() - now <= 0) {
          waiting.remove(job.copy().id());
          running.put(job.copy().id(), null);
          due.add(job);
        } else {
          next = Math.min(next, job.dueNanos() - now);
        }
      }
    }
    due.forEach(this::run);
    return next == Long.MAX_VALUE ? BackgroundThread.UNTIL_WOKEN : Duration.ofNanos(next);
  }

  private void run(Job job) {
    Deadline deadline = Deadline.after(times.attempt());
    CompletableFuture<?> unused =
        new BlobRecords(engine, job.target(), Deadline.after(STEP_TIME_MAX))
            .find()
            .thenCompose(
                blob ->
                    isPending(job, blob)
                        ? sources.open(source(job.copy())).thenCompose(c -> copy(job, c, deadline))
                        : CompletableFuture.completedFuture(true))
            .whenComplete((ended, failure) -> ended(job, failure));
  }

  private static boolean isPending(Job job, @Nullable BlobProperties blob) {
    CopyProperties copy = blob == null ? null : blob.copy();
    return copy != null && copy.isPending(job.copy().id());
  }

  private static Source source(PendingCopy copy) {
    String etag = copy.etag();
    Conditions same =
        etag == null
            ? Conditions.NONE
            : new Conditions(new ETagCondition(false, List.of(etag)), null, null, null);
    return new Source(
        new ExternalSource(copy.url(), null), same, Conditions.Use.URL_SOURCE, null, null);
  }

  /** Transfers the bytes of a copy and ends it. */
  private CompletionStage<Boolean> copy(Job job, ExternalContent content, Deadline deadline) {
    PendingCopy copy = job.copy();
    synchronized (this) {
      running.put(copy.id(), content);
    }
    if (content.length() != copy.length()) {
      content.close();
      throw BlobErrors.COPY_SOURCE_CONDITION_NOT_MET.exception();
    }
    UploadedBytes received =
        new UploadedBytes(engine.chunks(), job.target(), copy.length(), BodyDigest.none());
    Progress progress = new Progress(job, received);
    return content
        .transfer(deadline, partitions.workers(), progress::take)
        .thenCompose(
            transferred -> {
              if (progress.bytes != copy.length()) {
                throw BlobErrors.COPY_SOURCE_UNREACHABLE.exception();
              }
              return received.finish();
            })
        .whenCompleteAsync(
            (made, failure) -> {
              content.close();
              if (failure != null) {
                received.discard();
              }
            },
            partitions.workers())
        .thenCompose(made -> end(job, CopyStatus.SUCCESS, made, null))
        .whenComplete(
            (done, failure) -> {
              boolean refused = Boolean.FALSE.equals(done);
              if (refused || (failure != null && !StorageFailures.isUnknownOutcome(failure))) {
                received.giveTo(garbage);
              }
            })
        .thenApply(done -> true);
  }

  /** Counts the bytes of a copy and stores its progress from time to time. */
  private final class Progress {
    private final Job job;
    private final UploadedBytes received;
    private long bytes;
    private Deadline next = Deadline.after(times.touch());

    Progress(Job job, UploadedBytes received) {
      this.job = job;
      this.received = received;
    }

    CompletionStage<@Nullable Void> take(ByteBuffer piece) {
      bytes += piece.remaining();
      if (bytes > job.copy().length()) {
        throw BlobErrors.COPY_SOURCE_TOO_LARGE.exception();
      }
      CompletableFuture<@Nullable Void> taken = received.take(piece);
      if (!next.hasPassed()) {
        return taken;
      }
      next = Deadline.after(times.touch());
      return taken.<@Nullable Void>thenCompose(stored -> touch());
    }

    private CompletableFuture<@Nullable Void> touch() {
      Deadline deadline = Deadline.after(STEP_TIME_MAX);
      PendingCopy touched = job.copy().touched(engine.now());
      return partitions
          .run(job.target(), deadline, new CopyProgressBody(job.copy().id(), bytes))
          .thenCompose(
              pending -> {
                if (!pending) {
                  throw BlobErrors.NO_PENDING_COPY.exception();
                }
                return index.write(job.target().space(), touched, deadline);
              })
          .thenApply(written -> null);
    }
  }

  /** Ends a copy. Returns false if it was not pending any more. */
  private CompletableFuture<Boolean> end(
      Job job, CopyStatus status, @Nullable NewContent content, @Nullable String description) {
    EndCopyBody body = new EndCopyBody(job.copy().id(), status, content, description, null);
    return partitions
        .run(job.target(), Deadline.after(STEP_TIME_MAX), body)
        .thenApply(
            result -> {
              if (result instanceof TransactionResult.Refused<BlobProperties> refused
                  && refused.error().equals(CommonErrors.OPERATION_TIMED_OUT)) {
                throw refused.error().exception();
              }
              garbage.changed(job.target());
              return result instanceof TransactionResult.Done<BlobProperties>;
            });
  }

  /** Goes on after an attempt: removes the row, tries again later, or lets the copy fail. */
  private void ended(Job job, @Nullable Throwable failure) {
    synchronized (this) {
      running.remove(job.copy().id());
      if (closed) {
        return;
      }
    }
    Throwable cause = failure == null ? null : Futures.cause(failure);
    if (cause == null || isGone(cause)) {
      CompletableFuture<?> unused = remove(job);
    } else if (isFinal(job, cause)) {
      String description = description(cause);
      LOG.warn("a copy from another server failed: {}", description);
      CompletableFuture<?> unused =
          end(job, CopyStatus.FAILED, null, description)
              .whenComplete(
                  (done, e) -> {
                    if (e != null && !isGone(Futures.cause(e))) {
                      abandon();
                    }
                  })
              .thenCompose(done -> remove(job));
    } else {
      long pause = times.retry().toNanos() << (job.attempt() - 1);
      add(new Job(job.target(), job.copy(), job.attempt() + 1, System.nanoTime() + pause));
    }
    wake.run();
  }

  private static boolean isGone(Throwable cause) {
    return cause instanceof StorageException storage
        && storage.kind() == StorageException.Kind.SPACE_GONE;
  }

  private boolean isFinal(Job job, Throwable cause) {
    boolean refused = cause instanceof ServiceException service && service.error().status() < 500;
    long wholeTicks = times.whole().toSeconds() * Ticks.PER_SECOND;
    return refused
        || job.attempt() >= ATTEMPTS_MAX
        || engine.now() - job.copy().beganTicks() > wholeTicks;
  }

  private static String description(Throwable cause) {
    String status = "500";
    String code = "InternalError";
    if (cause instanceof ServiceException service) {
      status =
          service.details().getOrDefault("CopySourceStatusCode", "" + service.error().status());
      code = service.details().getOrDefault("CopySourceErrorCode", service.error().code());
    }
    return status + " " + code + " \"Copy failed when reading the source.\"";
  }

  /** Takes up a copy of an earlier run, or of another server. */
  private void takeUp(Space space, PendingCopy copy) {
    long untouchedTicks = times.untouched().toSeconds() * Ticks.PER_SECOND;
    // A row of this process may be there before its blob is pending; its copy is in memory.
    boolean free =
        engine.isShared()
            ? copy.touchedTicks() < engine.now() - untouchedTicks
            : copy.beganTicks() < startedTicks;
    if (free) {
      add(new Job(new Partition(space, copy.blob().key()), copy, 1, System.nanoTime()));
    }
  }

  /** Ends all transfers. The copies stay pending, for the next start. */
  @Override
  public void close() {
    List<ExternalContent> contents = new ArrayList<>();
    synchronized (this) {
      closed = true;
      abandoned |= !waiting.isEmpty() || !running.isEmpty();
      waiting.clear();
      for (ExternalContent content : running.values()) {
        if (content != null) {
          contents.add(content);
        }
      }
    }
    thread.close();
    contents.forEach(ExternalContent::close);
    boolean left;
    synchronized (this) {
      left = abandoned && !ended;
      ended = true;
    }
    if (left) {
      forget.run();
    }
  }
}
