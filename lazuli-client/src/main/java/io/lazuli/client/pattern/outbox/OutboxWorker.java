package io.lazuli.client.pattern.outbox;

import com.azure.storage.queue.QueueAsyncClient;
import com.azure.storage.queue.models.QueueMessageItem;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
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
 */
public final class OutboxWorker implements AutoCloseable {
  /** The service's limit for one request. */
  private static final int MESSAGES_MAX = 32;

  private final QueueAsyncClient queue;
  private final PoisonQueue poison;
  private final IdempotentStep step;
  private final Options options;
  private final Consumer<Throwable> failures;
  private final Duration renewEvery;

  private final AtomicReference<@Nullable Running> running = new AtomicReference<>();

  /**
   * The settings of a worker.
   *
   * @param visibility the time, in whole seconds, after which the message of a crashed worker
   *     reappears
   * @param attemptsMax the number of times that a message is delivered before it goes to the poison
   *     queue
   * @param concurrency the number of messages that are processed at once, at most 32
   * @param stepMax the longest time that a step may take before it is cancelled; must be shorter
   *     than the time for which tombstones are kept
   * @param pollEvery how long a started worker waits after it found the queue empty
   */
  public record Options(
      Duration visibility, int attemptsMax, int concurrency, Duration stepMax, Duration pollEvery) {
    /** Rejects values outside the limits of queues and workers. */
    public Options {
      if (visibility.toSeconds() < 1 || attemptsMax < 1) {
        throw new IllegalArgumentException(
            "visibility must be at least one second, and attemptsMax at least 1");
      }
      if (concurrency < 1 || concurrency > MESSAGES_MAX) {
        throw new IllegalArgumentException("concurrency must be 1 to 32, not " + concurrency);
      }
    }

    /**
     * Visibility of 30 seconds, five attempts, 16 messages at once, at most ten minutes for a step,
     * and a pause of one second when the queue is empty.
     */
    public static final Options DEFAULT =
        new Options(Duration.ofSeconds(30), 5, 16, Duration.ofMinutes(10), Duration.ofSeconds(1));

    /** Returns these options with another time after which messages reappear. */
    public Options withVisibility(Duration time) {
      return new Options(time, attemptsMax, concurrency, stepMax, pollEvery);
    }

    /** Returns these options with another number of attempts. */
    public Options withAttemptsMax(int attempts) {
      return new Options(visibility, attempts, concurrency, stepMax, pollEvery);
    }

    /** Returns these options with another number of messages at once. */
    public Options withConcurrency(int messages) {
      return new Options(visibility, attemptsMax, messages, stepMax, pollEvery);
    }
  }

  private OutboxWorker(
      QueueAsyncClient queue,
      PoisonQueue poison,
      IdempotentStep step,
      Options options,
      Consumer<Throwable> failures,
      Duration renewEvery) {
    this.queue = queue;
    this.poison = poison;
    this.step = step;
    this.options = options;
    this.failures = failures;
    this.renewEvery = renewEvery;
  }

  /** Creates a worker with default options that does not report failures. */
  public static OutboxWorker of(QueueAsyncClient queue, PoisonQueue poison, IdempotentStep step) {
    Options usual = Options.DEFAULT;
    return new OutboxWorker(
        queue, poison, step, usual, failure -> {}, usual.visibility().dividedBy(2));
  }

  /** Returns a worker with other options. The new worker is not started. */
  public OutboxWorker with(Options other) {
    Duration halfway = other.visibility().dividedBy(2);
    return new OutboxWorker(queue, poison, step, other, failures, halfway);
  }

  /**
   * Returns a worker that reports every failure of a step or of the queue. The new worker is not
   * started.
   */
  public OutboxWorker onFailure(Consumer<Throwable> listener) {
    return new OutboxWorker(queue, poison, step, options, listener, renewEvery);
  }

  /**
   * Returns a worker that extends the invisibility of messages only this often, for tests that
   * count requests.
   */
  OutboxWorker renewingEvery(Duration time) {
    return new OutboxWorker(queue, poison, step, options, failures, time);
  }

  /**
   * Processes messages until none is visible. If a step fails, its message stays in the queue, and
   * the next message is processed.
   *
   * @return the number of finished messages
   */
  public Mono<Long> runUntilEmpty() {
    return Mono.defer(this::round)
        .expand(last -> last.taken() == 0 ? Mono.empty() : round())
        .reduce(0L, (sum, last) -> sum + last.finished());
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

  /** Stops receiving messages and waits for those in progress. The worker can be started again. */
  @Override
  public void close() {
    Running last = running.getAndSet(null);
    if (last != null) {
      last.end();
    }
  }

  private record Round(long taken, long finished) {}

  private Mono<Round> round() {
    return queue
        .receiveMessages(options.concurrency(), options.visibility())
        .flatMap(this::handle, options.concurrency())
        .reduce(
            new Round(0, 0),
            (sum, finished) -> new Round(sum.taken() + 1, sum.finished() + (finished ? 1 : 0)));
  }

  private Mono<Boolean> handle(QueueMessageItem item) {
    HeldMessage held = new HeldMessage(queue, item, options.visibility(), renewEvery);
    return held.envelope()
        .map(envelope -> handle(held, envelope))
        .orElseGet(() -> giveUp(held, "the message was not written by an outbox"))
        .onErrorResume(failure -> Mono.fromSupplier(() -> report(failure)));
  }

  private boolean report(Throwable failure) {
    failures.accept(failure);
    return false;
  }

  private Mono<Boolean> handle(HeldMessage held, Envelope envelope) {
    if (held.attempts() > options.attemptsMax()) {
      return giveUp(held, "no worker finished the message");
    }
    return held.whileHeld(
            Mono.defer(() -> step.apply(envelope.message())).timeout(options.stepMax()))
        .then(Mono.defer(() -> held.finish(envelope)))
        .thenReturn(true)
        .onErrorResume(
            failure ->
                held.attempts() < options.attemptsMax()
                    ? Mono.error(failure)
                    : giveUp(held, failure.toString()).then(Mono.error(failure)));
  }

  /**
   * Moves a message to the poison queue. A crash in between leaves the message in both queues,
   * which is better than in none.
   */
  private Mono<Boolean> giveUp(HeldMessage held, String reason) {
    return poison
        .put(new PoisonMessage(held.text(), held.attempts(), reason))
        .then(held.delete())
        .thenReturn(false);
  }

  /** Receives and processes messages, one round after the other, until stopped. */
  private final class Running {
    private final Sinks.Empty<Void> stop = Sinks.empty();
    private final Sinks.Empty<Void> stopped = Sinks.empty();
    private volatile boolean open = true;

    void begin() {
      Mono.defer(this::roundOrPause)
          .repeat(() -> open)
          .doFinally(end -> stopped.tryEmitEmpty())
          .subscribe();
    }

    private Mono<Void> roundOrPause() {
      return round()
          .map(Round::taken)
          .doOnError(failures)
          .onErrorReturn(0L)
          .flatMap(taken -> taken > 0 ? Mono.empty() : pause());
    }

    private Mono<Void> pause() {
      return Mono.firstWithSignal(Mono.delay(options.pollEvery()).then(), stop.asMono());
    }

    void end() {
      open = false;
      stop.tryEmitEmpty();
      stopped.asMono().block(options.stepMax().plus(options.visibility()));
    }
  }
}
