package io.lazuli.client.pattern.outbox;

import com.azure.storage.queue.QueueAsyncClient;
import com.azure.storage.queue.models.QueueMessageItem;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.client.background.ContainedWork;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/**
 * Receives messages from a queue whenever the worker has room for more. Mutable, thread-safe.
 *
 * <h2>When it receives</h2>
 *
 * <p>The worker requests as many messages as it has room for. There is at most one request to the
 * queue at a time, and it asks for as many messages as there is room for when it is sent. So
 * messages that end while a request runs make room for the next request together.
 *
 * <p>If the queue returns fewer messages than were asked for, it is empty for now. The next request
 * is then sent when a message ends, because steps may send messages, or after the pause. After a
 * failure only the end of the pause counts.
 */
final class Intake {
  private enum State {
    /** A request may be sent as soon as there is room. */
    READY,
    RECEIVING,
    /** The queue was empty: waits for the end of a message or of the pause. */
    DRAINED,
    /** The queue could not be read: waits for the end of the pause. */
    FAILED,
    STOPPED
  }

  /**
   * The queue of a worker, and how to read it.
   *
   * @param pollEvery the pause when the queue is empty; null to end when it is empty and all
   *     messages have ended, or when it cannot be read
   */
  record Source(
      QueueAsyncClient queue,
      OutboxWorker.Options options,
      Duration renewEvery,
      @Nullable Duration pollEvery) {
    Mono<List<QueueMessageItem>> receive(int count) {
      return ContainedWork.of(
              () -> queue.receiveMessages(count, options.visibility()).collectList())
          .timeout(HeldMessage.REQUEST_MAX);
    }

    HeldMessage held(QueueMessageItem item) {
      return new HeldMessage(queue, item, options.visibility(), renewEvery);
    }
  }

  private final Source source;
  private final WorkerReport report;
  private final Lag lag;
  private final FluxSink<HeldMessage> out;
  private final Disposable.Swap pause = Disposables.swap();
  private final Sinks.Empty<Void> unused = Sinks.empty();

  private final Object lock = new Object();

  @GuardedBy("lock")
  private State state = State.READY;

  @GuardedBy("lock")
  private long room;

  /** Whether a message has ended since the last request was sent. */
  @GuardedBy("lock")
  private boolean ended;

  @GuardedBy("lock")
  private boolean stopping;

  private Intake(Source source, WorkerReport report, Lag lag, FluxSink<HeldMessage> out) {
    this.source = source;
    this.report = report;
    this.lag = lag;
    this.out = out;
  }

  /**
   * Returns the messages of a queue.
   *
   * @param stop completes when no more messages are wanted; those that arrive later are made
   *     visible again
   */
  static Flux<HeldMessage> of(Source source, WorkerReport report, Lag lag, Mono<Void> stop) {
    return Flux.create(out -> new Intake(source, report, lag, out).begin(stop));
  }

  private void begin(Mono<Void> stop) {
    Disposable listening = stop.subscribe(nothing -> {}, failure -> {}, this::stop);
    out.onDispose(Disposables.composite(pause, listening, unused::tryEmitEmpty));
    out.onRequest(this::roomForMore);
  }

  private void roomForMore(long more) {
    synchronized (lock) {
      room += more;
      ended = true;
      if (state == State.DRAINED) {
        state = State.READY;
      }
    }
    receive();
  }

  private void pauseEnds() {
    synchronized (lock) {
      if (state == State.DRAINED || state == State.FAILED) {
        state = State.READY;
      }
    }
    receive();
  }

  private void stop() {
    synchronized (lock) {
      stopping = true;
      if (state == State.RECEIVING) {
        return;
      }
      state = State.STOPPED;
    }
    out.complete();
  }

  private void receive() {
    int count;
    synchronized (lock) {
      if (state != State.READY || room == 0) {
        return;
      }
      state = State.RECEIVING;
      ended = false;
      count = (int) Math.min(room, OutboxWorker.MESSAGES_MAX);
    }
    source
        .receive(count)
        .takeUntilOther(unused.asMono())
        .subscribe(items -> receivedOrFailed(items, count), this::receiveFailed);
  }

  private void receivedOrFailed(List<QueueMessageItem> items, int count) {
    try {
      received(items, count);
    } catch (Throwable failure) {
      receiveFailed(failure);
    }
  }

  private void received(List<QueueMessageItem> items, int count) {
    List<HeldMessage> messages = items.stream().map(source::held).toList();
    boolean more = messages.size() >= count;
    report.received();
    lag.received(messages.stream().map(HeldMessage::age).toList(), more);
    if (isStopping()) {
      release(messages);
      return;
    }
    synchronized (lock) {
      room -= messages.size();
    }
    messages.forEach(out::next);
    proceed(afterReceiving(messages.isEmpty(), more));
  }

  private boolean isStopping() {
    synchronized (lock) {
      return stopping;
    }
  }

  private State afterReceiving(boolean empty, boolean more) {
    synchronized (lock) {
      boolean idle = room == source.options().concurrency();
      if (stopping || (source.pollEvery() == null && empty && idle && !ended)) {
        state = State.STOPPED;
      } else {
        state = more || ended ? State.READY : State.DRAINED;
      }
      return state;
    }
  }

  private void receiveFailed(Throwable failure) {
    lag.receiveFailed();
    boolean thrown = source.pollEvery() == null;
    State next;
    synchronized (lock) {
      state = stopping || thrown ? State.STOPPED : State.FAILED;
      next = state;
    }
    if (thrown) {
      out.error(failure);
    } else {
      report.receiveFailed(failure);
      proceed(next);
    }
  }

  private void proceed(State next) {
    switch (next) {
      case READY -> receive();
      case DRAINED, FAILED -> pauseIfPolling();
      case STOPPED -> out.complete();
      case RECEIVING -> throw new IllegalStateException("a request has ended");
    }
  }

  private void pauseIfPolling() {
    Duration time = source.pollEvery();
    if (time != null) {
      pause.update(
          Schedulers.parallel().schedule(this::pauseEnds, time.toMillis(), TimeUnit.MILLISECONDS));
    }
  }

  /** Makes messages visible again that arrived after the worker was closed. */
  private void release(List<HeldMessage> messages) {
    Flux.fromIterable(messages)
        .flatMap(held -> held.release().onErrorComplete(), OutboxWorker.MESSAGES_MAX)
        .doOnTerminate(out::complete)
        .subscribe();
  }
}
