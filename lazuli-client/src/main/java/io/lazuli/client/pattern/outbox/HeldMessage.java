package io.lazuli.client.pattern.outbox;

import com.azure.storage.queue.QueueAsyncClient;
import com.azure.storage.queue.models.QueueMessageItem;
import com.azure.storage.queue.models.UpdateMessageResult;
import java.time.Duration;
import java.util.Optional;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.function.Tuple2;

/**
 * A message that a worker received, and its pop receipt. The receipt changes whenever the message
 * is hidden for longer; only one request at a time uses it.
 */
final class HeldMessage {
  /**
   * The time after which a request counts as failed. The SDK gives up earlier, except if it loses
   * an error: then its answer never comes.
   */
  static final Duration REQUEST_MAX = Duration.ofMinutes(5);

  private final QueueAsyncClient queue;
  private final QueueMessageItem item;
  private final Duration visibility;
  private final Duration renewEvery;
  private volatile String receipt;

  HeldMessage(
      QueueAsyncClient queue, QueueMessageItem item, Duration visibility, Duration renewEvery) {
    this.queue = queue;
    this.item = item;
    this.visibility = visibility;
    this.renewEvery = renewEvery;
    this.receipt = item.getPopReceipt();
  }

  String id() {
    return item.getMessageId();
  }

  /** Uses the receipt of a later delivery of the same message, because ours is no longer valid. */
  void continueWith(HeldMessage later) {
    receipt = later.receipt;
  }

  String text() {
    return item.getBody().toString();
  }

  Optional<Envelope> envelope() {
    return Envelope.parse(text());
  }

  long attempts() {
    return item.getDequeueCount();
  }

  /**
   * Does the work, which must have a result, and keeps the message hidden from other workers until
   * the work ends. The renewal is subscribed first, so that work that ends immediately cannot
   * signal the end before the renewal listens.
   */
  <R> Mono<R> whileHeld(Mono<R> work) {
    Sinks.Empty<Void> done = Sinks.empty();
    Mono<Boolean> renewing =
        Flux.interval(renewEvery)
            .onBackpressureDrop()
            .takeUntilOther(done.asMono())
            .concatMap(tick -> hideFor(visibility).onErrorComplete(), 1)
            .then(Mono.just(true));
    return Mono.zipDelayError(renewing, work.doFinally(end -> done.tryEmitEmpty()))
        .map(Tuple2::getT2);
  }

  /**
   * Deletes the message, or hides it for one more delivery if its sender may not have written yet.
   */
  Mono<Void> finish(Envelope envelope) {
    Duration young = envelope.lastCheck().minus(age());
    return envelope.written() || young.isNegative() || young.isZero() ? delete() : hideFor(young);
  }

  /** Returns the age of the message. All times come from the clock of the service. */
  Duration age() {
    return Duration.between(item.getInsertionTime(), item.getTimeNextVisible()).minus(visibility);
  }

  /** Makes the message visible, for a worker that can finish it. */
  Mono<Void> release() {
    return hideFor(Duration.ZERO);
  }

  private Mono<Void> hideFor(Duration time) {
    return queue
        .updateMessage(item.getMessageId(), receipt, text(), time)
        .timeout(REQUEST_MAX)
        .map(UpdateMessageResult::getPopReceipt)
        .doOnNext(next -> receipt = next)
        .then()
        .onErrorResume(Outbox::taken, failure -> Mono.empty());
  }

  /** Deletes the message. If another worker has received it by now, that worker deletes it. */
  Mono<Void> delete() {
    return queue
        .deleteMessage(item.getMessageId(), receipt)
        .timeout(REQUEST_MAX)
        .onErrorResume(Outbox::taken, failure -> Mono.empty());
  }
}
