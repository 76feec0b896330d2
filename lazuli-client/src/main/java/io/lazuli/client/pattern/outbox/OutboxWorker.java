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
 * The worker's side of an eventually consistent transaction: takes messages from a queue, hands
 * each to a step, and deletes it when the step is done. Any number of workers may share a queue; a
 * worker is thread-safe.
 *
 * <p>Deleting comes last, so a worker that dies leaves a message that reappears, and the step is
 * done again. A message that keeps failing goes to the poison queue with the reason. While a step
 * runs its message is kept hidden, for as long as a step may take ({@link Options#stepMax}).
 */
public final class OutboxWorker implements AutoCloseable {
  /** The service hands out no more at once. */
  private static final int MESSAGES_MAX = 32;

  private final QueueAsyncClient queue;
  private final PoisonQueue poison;
  private final IdempotentStep step;
  private final Options options;
  private final Consumer<Throwable> failures;
  private final Duration renewEvery;

  private final AtomicReference<@Nullable Running> running = new AtomicReference<>();

  /**
   * How a worker works.
   *
   * @param visibility after this time the message of a worker that died reappears; whole seconds
   * @param attemptsMax how often a message is handed out before it counts as poisoned
   * @param concurrency how many messages are worked on at once, at most 32
   * @param stepMax a step that takes longer is given up; shorter than markers of deletion are kept
   * @param pollEvery how long {@link #start} waits when the queue was empty
   */
  public record Options(
      Duration visibility, int attemptsMax, int concurrency, Duration stepMax, Duration pollEvery) {
    /** Refuses what no queue or worker can do. */
    public Options {
      if (visibility.toSeconds() < 1 || attemptsMax < 1) {
        throw new IllegalArgumentException("at least one second, and one attempt");
      }
      if (concurrency < 1 || concurrency > MESSAGES_MAX) {
        throw new IllegalArgumentException("1 to 32 messages at once, not " + concurrency);
      }
    }

    /** 30 seconds, five attempts, 16 messages at once, ten minutes, one second. */
    public static final Options DEFAULT =
        new Options(Duration.ofSeconds(30), 5, 16, Duration.ofMinutes(10), Duration.ofSeconds(1));

    /** These with another time after which messages reappear. */
    public Options withVisibility(Duration time) {
      return new Options(time, attemptsMax, concurrency, stepMax, pollEvery);
    }

    /** These with another number of attempts. */
    public Options withAttemptsMax(int attempts) {
      return new Options(visibility, attempts, concurrency, stepMax, pollEvery);
    }

    /** These with another number of messages at once. */
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

  /** A worker with the usual options that tells nobody of failures. */
  public static OutboxWorker of(QueueAsyncClient queue, PoisonQueue poison, IdempotentStep step) {
    Options usual = Options.DEFAULT;
    return new OutboxWorker(
        queue, poison, step, usual, failure -> {}, usual.visibility().dividedBy(2));
  }

  /** The same worker with other options, not started. */
  public OutboxWorker with(Options other) {
    Duration halfway = other.visibility().dividedBy(2);
    return new OutboxWorker(queue, poison, step, other, failures, halfway);
  }

  /** The same worker, not started, which tells of every failure of a step or of the queue. */
  public OutboxWorker onFailure(Consumer<Throwable> listener) {
    return new OutboxWorker(queue, poison, step, options, listener, renewEvery);
  }

  /** For tests that count requests: messages are kept hidden for longer this often only. */
  OutboxWorker renewingEvery(Duration time) {
    return new OutboxWorker(queue, poison, step, options, failures, time);
  }

  /**
   * Works until no message is visible. A step that fails does not end it: its message stays.
   *
   * @return how many messages were finished
   */
  public Mono<Long> workOff() {
    return Mono.defer(this::round)
        .expand(last -> last.taken() == 0 ? Mono.empty() : round())
        .reduce(0L, (sum, last) -> sum + last.finished());
  }

  /** Works until {@link #close}, in the background. Does nothing if it already does. */
  public void start() {
    Running next = new Running();
    if (running.compareAndSet(null, next)) {
      next.begin();
    }
  }

  /** Takes no more messages, and waits for those in hand. It can be started again. */
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
        .orElseGet(() -> giveUp(held, "no outbox wrote this message"))
        .onErrorResume(failure -> Mono.fromSupplier(() -> told(failure)));
  }

  private boolean told(Throwable failure) {
    failures.accept(failure);
    return false;
  }

  private Mono<Boolean> handle(HeldMessage held, Envelope envelope) {
    if (held.attempts() > options.attemptsMax()) {
      return giveUp(held, "no worker came to an end with it");
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

  /** Twice in the poison queue is better than in none. */
  private Mono<Boolean> giveUp(HeldMessage held, String reason) {
    return poison
        .put(new PoisonMessage(held.text(), held.attempts(), reason))
        .then(held.delete())
        .thenReturn(false);
  }

  /** Rounds one after the other, until stopped. */
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
