package io.lazuli.client.pattern.outbox;

import com.azure.storage.queue.QueueAsyncClient;
import io.lazuli.client.background.ContainedWork;
import io.lazuli.client.metrics.MessageOutcome;
import io.lazuli.client.metrics.WorkerMetrics;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * The worker's side of an eventually consistent transaction: receives messages from a queue, passes
 * each to a step, and deletes it when the step is done. Any number of workers may share a queue; a
 * worker is thread-safe.
 *
 * <p>The message is deleted last: if a worker crashes, the message reappears, and the step is done
 * again. A message that keeps failing goes to the poison queue with the reason. While a step runs,
 * its message is kept hidden, for at most the time that a step may take ({@link Options#stepMax}).
 *
 * <p>A slow step occupies one of the places of the worker ({@link Options#concurrency}). Other
 * messages are received and processed in the other places.
 *
 * <h2>Failures</h2>
 *
 * <p>Whatever a step throws is the failure of its message, also an {@link Error}. This includes an
 * {@link OutOfMemoryError}: usually the message itself needs too much memory, and the others must
 * still be processed. If a process should rather end then, start it with {@code
 * -XX:+ExitOnOutOfMemoryError}, which takes effect before anybody can catch the error. {@link
 * ContainedWork} describes where Reactor loses an error that a step throws on a thread of its own;
 * such a step fails after {@link Options#stepMax}.
 *
 * <p>Every failure is logged through SLF4J with the name of this class, and passed to the listener
 * ({@link #onFailure}). The metrics ({@link #with(WorkerMetrics)}) count the messages.
 */
public final class OutboxWorker implements AutoCloseable {
  /** The service's limit for one request. */
  static final int MESSAGES_MAX = 32;

  /** How long {@link #close} waits for cancelled steps to make their messages visible. */
  private static final Duration RELEASE_MAX = Duration.ofSeconds(5);

  private final QueueAsyncClient queue;
  private final PoisonQueue poison;
  private final IdempotentStep step;
  private final Options options;
  private final WorkerReport report;
  private final Duration renewEvery;

  private final Lag lag = new Lag(Clock.systemUTC());

  /** The messages in progress, by id. */
  private final Map<String, HeldMessage> inProgress = new ConcurrentHashMap<>();

  private final AtomicReference<@Nullable Running> running = new AtomicReference<>();

  /**
   * The settings of a worker.
   *
   * @param visibility the time, in whole seconds, after which the message of a crashed worker
   *     reappears
   * @param attemptsMax the number of times that a message is delivered before it goes to the poison
   *     queue
   * @param concurrency the number of messages that are processed at once, at most 32; a worker
   *     receives another message as soon as one of them ends
   * @param stepMax the longest time that a step may take before it is cancelled; must be shorter
   *     than the time for which tombstones are kept
   * @param pollEvery how long a started worker waits after it found the queue empty
   * @param closeMax how long {@link OutboxWorker#close} waits for running steps before it cancels
   *     them
   */
  public record Options(
      Duration visibility,
      int attemptsMax,
      int concurrency,
      Duration stepMax,
      Duration pollEvery,
      Duration closeMax) {
    /** Rejects values outside the limits of queues and workers. */
    public Options {
      if (visibility.toSeconds() < 1 || attemptsMax < 1) {
        throw new IllegalArgumentException(
            "visibility must be at least one second, and attemptsMax at least 1");
      }
      if (concurrency < 1 || concurrency > MESSAGES_MAX) {
        throw new IllegalArgumentException("concurrency must be 1 to 32, not " + concurrency);
      }
      if (stepMax.toMillis() < 1 || pollEvery.toMillis() < 1 || closeMax.isNegative()) {
        throw new IllegalArgumentException(
            "stepMax and pollEvery must be at least one millisecond, and closeMax not negative");
      }
    }

    /**
     * Visibility of 30 seconds, five attempts, 16 messages at once, at most ten minutes for a step,
     * a pause of one second when the queue is empty, and 20 seconds for running steps to end.
     */
    public static final Options DEFAULT =
        new Options(
            Duration.ofSeconds(30),
            5,
            16,
            Duration.ofMinutes(10),
            Duration.ofSeconds(1),
            Duration.ofSeconds(20));

    /** Returns these options with another time after which messages reappear. */
    public Options withVisibility(Duration time) {
      return new Options(time, attemptsMax, concurrency, stepMax, pollEvery, closeMax);
    }

    /** Returns these options with another number of attempts. */
    public Options withAttemptsMax(int attempts) {
      return new Options(visibility, attempts, concurrency, stepMax, pollEvery, closeMax);
    }

    /** Returns these options with another number of messages at once. */
    public Options withConcurrency(int messages) {
      return new Options(visibility, attemptsMax, messages, stepMax, pollEvery, closeMax);
    }

    /** Returns these options with another limit for the time of a step. */
    public Options withStepMax(Duration time) {
      return new Options(visibility, attemptsMax, concurrency, time, pollEvery, closeMax);
    }

    /** Returns these options with another pause when the queue is empty. */
    public Options withPollEvery(Duration time) {
      return new Options(visibility, attemptsMax, concurrency, stepMax, time, closeMax);
    }

    /** Returns these options with another time for running steps to end when a worker closes. */
    public Options withCloseMax(Duration time) {
      return new Options(visibility, attemptsMax, concurrency, stepMax, pollEvery, time);
    }
  }

  private OutboxWorker(
      QueueAsyncClient queue,
      PoisonQueue poison,
      IdempotentStep step,
      Options options,
      WorkerReport report,
      Duration renewEvery) {
    this.queue = queue;
    this.poison = poison;
    this.step = step;
    this.options = options;
    this.report = report;
    this.renewEvery = renewEvery;
  }

  /** Creates a worker with default options. */
  public static OutboxWorker of(QueueAsyncClient queue, PoisonQueue poison, IdempotentStep step) {
    Options usual = Options.DEFAULT;
    Duration halfway = usual.visibility().dividedBy(2);
    return new OutboxWorker(queue, poison, step, usual, WorkerReport.of(queue), halfway);
  }

  /** Returns a worker with other options. The new worker is not started. */
  public OutboxWorker with(Options other) {
    Duration halfway = other.visibility().dividedBy(2);
    return new OutboxWorker(queue, poison, step, other, report, halfway);
  }

  /**
   * Returns a worker that passes every failure of a step or of the queue to a listener, in addition
   * to the log. The new worker is not started.
   */
  public OutboxWorker onFailure(Consumer<Throwable> listener) {
    return with(report.with(listener));
  }

  /**
   * Returns a worker with other metrics. Without this call, a worker uses the global registry of
   * Micrometer if Micrometer is on the class path. The new worker is not started.
   */
  public OutboxWorker with(WorkerMetrics metrics) {
    return with(report.with(metrics));
  }

  /** Returns a worker that writes to another log, for tests. */
  OutboxWorker with(Logger log) {
    return with(report.with(log));
  }

  private OutboxWorker with(WorkerReport other) {
    return new OutboxWorker(queue, poison, step, options, other, renewEvery);
  }

  /**
   * Returns a worker that extends the invisibility of messages only this often, for tests that
   * count requests.
   */
  OutboxWorker renewingEvery(Duration time) {
    return new OutboxWorker(queue, poison, step, options, report, time);
  }

  /**
   * Processes messages until none is visible and all steps have ended. If a step fails, its message
   * stays in the queue, and the next message is processed.
   *
   * @return the number of finished messages; fails if the queue cannot be read
   */
  public Mono<Long> runUntilEmpty() {
    return work(null, Mono.never(), Mono.never()).filter(MessageOutcome.DONE::equals).count();
  }

  /**
   * Processes messages in the background until {@link #close}. Does nothing if the worker is
   * already started.
   */
  public void start() {
    Running next = new Running();
    if (running.compareAndSet(null, next)) {
      next.begin();
    }
  }

  /**
   * Stops receiving messages and waits for the running steps. Steps that have not ended after
   * {@link Options#closeMax} are cancelled, and their messages become visible for other workers,
   * which counts as one delivery. Blocks for at most this time plus five seconds, even if a step
   * ignores that it is cancelled. A step must not call it. The worker can be started again.
   */
  @Override
  public void close() {
    Running last = running.getAndSet(null);
    if (last != null) {
      last.end();
    }
  }

  /**
   * Returns the age of the oldest message that this worker received last, or zero if the queue was
   * empty. The age counts from the time when the message was sent, so it is also high for messages
   * that failed and were delivered again. While all places of the worker are taken, or the queue
   * cannot be read, the lag grows.
   */
  public Duration lag() {
    return lag.now();
  }

  /**
   * Receives and processes messages.
   *
   * @param pollEvery the pause when the queue is empty; null to end then
   * @param stop completes when no more messages are wanted
   * @param cancel completes when running steps must end
   */
  private Flux<MessageOutcome> work(
      @Nullable Duration pollEvery, Mono<Void> stop, Mono<Void> cancel) {
    Intake.Source source = new Intake.Source(queue, options, renewEvery, pollEvery);
    return Intake.of(source, report, lag, stop)
        .flatMapDelayError(held -> handle(held, cancel), options.concurrency(), 1);
  }

  /**
   * Handles a message. Never fails: a failure of one message must not end the others. A message
   * that this worker already holds has become visible because its renewal was late. Its step
   * continues, with the new receipt.
   */
  private Mono<MessageOutcome> handle(HeldMessage held, Mono<Void> cancel) {
    return Mono.defer(
        () -> {
          HeldMessage same = inProgress.putIfAbsent(held.id(), held);
          if (same != null) {
            same.continueWith(held);
            return Mono.empty();
          }
          long began = System.nanoTime();
          return ContainedWork.of(() -> process(held, cancel))
              .onErrorResume(failure -> Mono.fromSupplier(() -> reported(held, failure)))
              .doOnNext(
                  outcome -> report.ended(outcome, Duration.ofNanos(System.nanoTime() - began)))
              .doOnTerminate(() -> inProgress.remove(held.id()))
              .doOnCancel(() -> inProgress.remove(held.id()));
        });
  }

  private Mono<MessageOutcome> process(HeldMessage held, Mono<Void> cancel) {
    Optional<Envelope> envelope = held.envelope();
    if (envelope.isEmpty()) {
      return giveUp(held, "the message was not written by an outbox");
    }
    if (held.attempts() > options.attemptsMax()) {
      return giveUp(held, "no worker finished the message");
    }
    Mono<MessageOutcome> done = stepFor(envelope.get().message()).thenReturn(MessageOutcome.DONE);
    Mono<MessageOutcome> released = cancel.thenReturn(MessageOutcome.RELEASED);
    return held.whileHeld(Mono.firstWithSignal(done, released))
        .flatMap(outcome -> settle(held, envelope.get(), outcome).thenReturn(outcome))
        .onErrorResume(failure -> failed(held, failure));
  }

  private Mono<Void> stepFor(OutboxMessage message) {
    Mono<Void> late =
        Mono.error(() -> new TimeoutException("the step took longer than " + options.stepMax()));
    return ContainedWork.of(() -> step.apply(message)).timeout(options.stepMax(), late);
  }

  private static Mono<Void> settle(HeldMessage held, Envelope envelope, MessageOutcome outcome) {
    return outcome == MessageOutcome.DONE ? held.finish(envelope) : held.release();
  }

  private Mono<MessageOutcome> failed(HeldMessage held, Throwable failure) {
    MessageOutcome failed = reported(held, failure);
    return held.attempts() < options.attemptsMax()
        ? Mono.just(failed)
        : giveUp(held, describe(failure));
  }

  private MessageOutcome reported(HeldMessage held, Throwable failure) {
    report.failed(held, failure);
    return MessageOutcome.FAILED;
  }

  /** Returns the text of a failure, even if the failure's own code for it fails. */
  private static String describe(Throwable failure) {
    try {
      return failure.toString();
    } catch (Throwable another) {
      return failure.getClass().getName();
    }
  }

  /**
   * Moves a message to the poison queue. A crash in between leaves the message in both queues,
   * which is better than in none.
   */
  private Mono<MessageOutcome> giveUp(HeldMessage held, String reason) {
    return poison
        .put(new PoisonMessage(held.text(), held.attempts(), reason))
        .timeout(HeldMessage.REQUEST_MAX)
        .then(Mono.defer(held::delete))
        .doOnSuccess(done -> report.poisoned(held, reason))
        .thenReturn(MessageOutcome.POISONED);
  }

  /** A worker between its start and its end. */
  private final class Running {
    private final Sinks.Empty<Void> stop = Sinks.empty();
    private final Sinks.Empty<Void> cancel = Sinks.empty();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile Runnable removeMetrics = () -> {};

    void begin() {
      removeMetrics = report.started(inProgress::size, lag::now);
      work(options.pollEvery(), stop.asMono(), cancel.asMono())
          .doFinally(end -> ended.countDown())
          .subscribe();
    }

    void end() {
      stop.tryEmitEmpty();
      if (!hasEndedWithin(options.closeMax())) {
        report.cancelled(inProgress.size(), options.closeMax());
        cancel.tryEmitEmpty();
        hasEndedWithin(RELEASE_MAX);
      }
      removeMetrics.run();
    }

    /** Waits for the end. A thread that is interrupted does not wait. */
    private boolean hasEndedWithin(Duration time) {
      try {
        return ended.await(time.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
  }
}
