package io.lazuli.client.pattern.log;

import com.azure.storage.blob.BlobContainerAsyncClient;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.client.background.ContainedWork;
import io.lazuli.client.background.SharedResult;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

/**
 * Writes entries to append blobs that are named by time. Mutable, thread-safe. Any number of
 * writers, in one process or several, may use the same prefix, because each has its own blobs.
 * Close the writer, otherwise the entries in its buffer are lost.
 *
 * <p>The writer sends one block at a time. If a block fails, it is sent again to the same position
 * of the same blob, until it is certain that the block is stored or never will be; only then is the
 * next block sent. So no line is stored twice. An unbuffered writer gives up after a few attempts
 * and reports the failure to its callers. The service may have stored that block nevertheless; the
 * next entries go to another blob.
 */
public final class AsyncLogWriter {
  private static final int ATTEMPTS = 4;

  /** An attempt that takes longer fails, so that a lost answer does not stop the writer forever. */
  private static final Duration ATTEMPT_MAX = Duration.ofMinutes(5);

  private static final Retry AGAIN =
      Retry.backoff(ATTEMPTS - 1L, Duration.ofMillis(50))
          .onRetryExhaustedThrow((spec, signal) -> signal.failure());

  private final LogBlobs blobs;
  private final LogOptions options;
  private final Clock clock;

  private final Object lock = new Object();

  @GuardedBy("lock")
  private final Deque<LogBlock.Line> lines = new ArrayDeque<>();

  @GuardedBy("lock")
  private final Deque<PendingAppend> pending = new ArrayDeque<>();

  @GuardedBy("lock")
  private long bytes;

  @GuardedBy("lock")
  private long appended;

  @GuardedBy("lock")
  private long settled;

  @GuardedBy("lock")
  private Instant last = Instant.EPOCH;

  @GuardedBy("lock")
  private boolean sending;

  @GuardedBy("lock")
  private boolean timed;

  @GuardedBy("lock")
  private boolean closed;

  /** The block of a buffering writer whose outcome is not yet known. */
  private volatile @Nullable LogBlock unsettled;

  private volatile @Nullable OpenLogBlob blob;

  /** A caller that waits until the line with a number is stored. */
  private record PendingAppend(long number, SharedResult<Void> stored) {}

  AsyncLogWriter(
      BlobContainerAsyncClient container, String prefix, LogOptions options, Clock clock) {
    this.blobs = new LogBlobs(container, new LogNames(prefix));
    this.options = options;
    this.clock = clock;
  }

  /**
   * Creates a writer.
   *
   * @param container an existing container
   * @param prefix the prefix of the blob names, without a trailing slash
   */
  public static AsyncLogWriter of(
      BlobContainerAsyncClient container, String prefix, LogOptions options) {
    return new AsyncLogWriter(container, prefix, options, Clock.systemUTC());
  }

  /** Returns this writer with blocking calls. */
  public LogWriter blocking() {
    return new LogWriter(this);
  }

  /**
   * Appends an entry with the current time. Completes when the entry is stored or, if this writer
   * buffers, when it is in the buffer. Text of more than 4 MiB is rejected.
   *
   * @return fails if an unbuffered writer could not store the entry, or does not know whether it is
   *     stored; also fails if the buffer is full and could not be sent
   */
  public Mono<Void> append(String text) {
    return Mono.defer(
        () -> {
          synchronized (lock) {
            if (bytes < options.bufferBytesMax()) {
              return added(text);
            }
          }
          return flush().then(append(text));
        });
  }

  @GuardedBy("lock")
  private Mono<Void> added(String text) {
    if (closed) {
      return Mono.error(new IllegalStateException("the log writer is closed"));
    }
    Instant now = clock.instant();
    last = now.isBefore(last) ? last : now;
    byte[] line = PlainLines.INSTANCE.line(new LogEntry(last, text));
    if (line.length > LogBlock.BYTES_MAX) {
      return Mono.error(new IllegalArgumentException("a log line can have at most 4 MiB"));
    }
    appended++;
    lines.add(new LogBlock.Line(line, last, appended));
    bytes += line.length;
    if (options.isAtOnce()) {
      return waiting();
    }
    if (bytes >= options.flushBytes()) {
      send();
    } else {
      sendLater();
    }
    return Mono.empty();
  }

  /**
   * Sends the contents of the buffer. Completes when everything that was appended before is stored.
   */
  public Mono<Void> flush() {
    return Mono.defer(
        () -> {
          synchronized (lock) {
            return settled == appended ? Mono.empty() : waiting();
          }
        });
  }

  /**
   * Sends the contents of the buffer, writes the time of the last entry to the blob's metadata, and
   * rejects further entries.
   */
  public Mono<Void> close() {
    return Mono.defer(
            () -> {
              synchronized (lock) {
                closed = true;
              }
              return flush();
            })
        .then(Mono.defer(this::finish));
  }

  private Mono<Void> finish() {
    OpenLogBlob open = blob;
    blob = null;
    return open == null || open.blocks() == 0 ? Mono.empty() : blobs.finish(open);
  }

  @GuardedBy("lock")
  private Mono<Void> waiting() {
    PendingAppend append = new PendingAppend(appended, new SharedResult<>());
    pending.add(append);
    send();
    return append.stored().value();
  }

  @GuardedBy("lock")
  private void sendLater() {
    if (!timed) {
      timed = true;
      Schedulers.parallel()
          .schedule(this::timeIsUp, options.flushEvery().toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private void timeIsUp() {
    synchronized (lock) {
      timed = false;
      send();
    }
  }

  /** Sends on another thread, so that the sender does not run while this thread holds the lock. */
  @GuardedBy("lock")
  private void send() {
    if (!sending && settled < appended) {
      sending = true;
      ContainedWork.of(() -> Mono.defer(this::next).repeat(this::thereIsMore).then())
          .onErrorResume(failure -> Mono.fromRunnable(() -> pause(failure)))
          .subscribeOn(Schedulers.parallel())
          .subscribe();
    }
  }

  private boolean thereIsMore() {
    synchronized (lock) {
      sending = settled < appended;
      return sending;
    }
  }

  private Mono<Void> next() {
    LogBlock block = block();
    return ContainedWork.of(() -> store(block))
        .timeout(ATTEMPT_MAX)
        .retryWhen(AGAIN)
        .doOnNext(stored -> settle(block))
        .then()
        .onErrorResume(failure -> failed(block, failure));
  }

  private LogBlock block() {
    LogBlock again = unsettled;
    if (again != null) {
      return again;
    }
    synchronized (lock) {
      LogBlock block = LogBlock.take(lines);
      unsettled = block;
      return block;
    }
  }

  /**
   * Makes one attempt to store a block: in the open blob, or in a new blob if the open blob cannot
   * take the block.
   */
  private Mono<OpenLogBlob> store(LogBlock block) {
    OpenLogBlob open = blob;
    if (open == null) {
      return blobs
          .create(block.first())
          .doOnNext(made -> blob = made)
          .flatMap(made -> store(made, block));
    }
    return open.takes(block, options) ? store(open, block) : roll(open, block);
  }

  private Mono<OpenLogBlob> store(OpenLogBlob open, LogBlock block) {
    return blobs
        .append(open, block)
        .switchIfEmpty(Mono.defer(() -> roll(open, block)))
        .doOnNext(grown -> blob = grown);
  }

  /**
   * Continues with another blob. If even an empty blob rejected the block, another blob would too,
   * so the attempt fails.
   */
  private Mono<OpenLogBlob> roll(OpenLogBlob open, LogBlock block) {
    blob = null;
    return open.blocks() == 0
        ? Mono.error(new IllegalStateException("no line can be appended to a new blob"))
        : blobs.finish(open).then(Mono.defer(() -> store(block)));
  }

  private void settle(LogBlock block) {
    List<PendingAppend> done = taken(block);
    done.forEach(append -> append.stored().succeed(null));
  }

  /**
   * Removes the block once its outcome is known, and returns the callers that wait for its lines.
   */
  private List<PendingAppend> taken(LogBlock block) {
    unsettled = null;
    synchronized (lock) {
      settled = block.number();
      bytes -= block.bytes().length;
      List<PendingAppend> done = new ArrayList<>();
      while (!pending.isEmpty() && pending.element().number() <= block.number()) {
        done.add(pending.remove());
      }
      return done;
    }
  }

  /**
   * Reports the failure to the waiting callers of an unbuffered writer, which may append again. A
   * buffering writer keeps the block and tries again.
   */
  private Mono<Void> failed(LogBlock block, Throwable failure) {
    if (!options.isAtOnce()) {
      return Mono.error(failure);
    }
    blob = null;
    taken(block).forEach(append -> append.stored().fail(failure));
    return Mono.empty();
  }

  private void pause(Throwable failure) {
    List<PendingAppend> failed;
    synchronized (lock) {
      sending = false;
      failed = List.copyOf(pending);
      pending.clear();
      sendLater();
    }
    failed.forEach(append -> append.stored().fail(failure));
  }
}
