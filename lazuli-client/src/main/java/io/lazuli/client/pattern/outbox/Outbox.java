package io.lazuli.client.pattern.outbox;

import com.azure.core.http.rest.Response;
import com.azure.storage.queue.QueueAsyncClient;
import com.azure.storage.queue.models.QueueErrorCode;
import com.azure.storage.queue.models.QueueStorageException;
import com.azure.storage.queue.models.SendMessageResult;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import reactor.core.publisher.Mono;

/**
 * The client's side of an eventually consistent transaction: tells the workers of a change before
 * it is made, so that none is forgotten. Immutable and thread-safe.
 *
 * <h2>The order that keeps the promise</h2>
 *
 * <ol>
 *   <li>The message is put, hidden for a while ({@link #hiddenFor}).
 *   <li>The primary is written.
 *   <li>The message is marked as written and made visible.
 * </ol>
 *
 * <p>A client that dies after 1 leaves a message that appears by itself. A worker that finds one
 * which is not marked as written does the step, which is right if the write was made, and lets the
 * message reappear once, when its age is that of the last look ({@link #lastLookAfter}): the client
 * may only have been slow. The outbox gives up work that takes longer, so the one thing assumed of
 * time is that no request arrives later than that after it was given up.
 */
public final class Outbox {
  /** Messages wait for a worker as long as it takes. */
  private static final Duration NEVER_EXPIRES = Duration.ofSeconds(-1);

  private static final Set<QueueErrorCode> TAKEN =
      Set.of(QueueErrorCode.MESSAGE_NOT_FOUND, QueueErrorCode.POP_RECEIPT_MISMATCH);

  private final QueueAsyncClient queue;
  private final Duration hidden;
  private final Duration lastLook;

  private Outbox(QueueAsyncClient queue, Duration hidden, Duration lastLook) {
    this.queue = queue;
    this.hidden = hidden;
    this.lastLook = lastLook;
  }

  /**
   * An outbox on an existing queue; messages are hidden for 30 seconds, the last look is at 10
   * minutes.
   */
  public static Outbox of(QueueAsyncClient queue) {
    return new Outbox(queue, Duration.ofSeconds(30), Duration.ofMinutes(10));
  }

  /** How long a message waits for the write, in whole seconds. Longer than most writes take. */
  public Outbox hiddenFor(Duration time) {
    return new Outbox(queue, time, lastLook);
  }

  /**
   * The age at which a message that was never marked as written is looked at for the last time, in
   * whole seconds. Work that takes longer is given up. With zero there is one look and no limit,
   * which is right only if no client is slower than the time for which messages are hidden.
   */
  public Outbox lastLookAfter(Duration age) {
    return new Outbox(queue, hidden, age);
  }

  /**
   * Does the work between announcing it and making it known: two requests besides those of the
   * work. When the work fails the message stays, for the work may have been done all the same.
   *
   * @return what the work returns; it is done even if the message could not be made visible, which
   *     then appears by itself
   */
  public <R> Mono<R> around(OutboxMessage message, Mono<R> work) {
    return put(Envelope.announced(message, lastLook), hidden)
        .flatMap(sent -> limited(work).flatMap(result -> release(sent, message).thenReturn(result)))
        .flatMap(Mono::justOrEmpty);
  }

  /** Tells the workers of what is due now: one request. */
  public Mono<Void> send(OutboxMessage message) {
    return put(Envelope.written(message), Duration.ZERO).then();
  }

  private <R> Mono<Optional<R>> limited(Mono<R> work) {
    Mono<Optional<R>> result = work.map(Optional::of).defaultIfEmpty(Optional.empty());
    return lastLook.isZero() ? result : result.timeout(lastLook);
  }

  private Mono<SendMessageResult> put(Envelope envelope, Duration invisible) {
    return queue
        .sendMessageWithResponse(envelope.text(), invisible, NEVER_EXPIRES)
        .map(Response::getValue);
  }

  /** Whoever took the message meanwhile may have looked too early, so there must be another. */
  private Mono<Void> release(SendMessageResult sent, OutboxMessage message) {
    String text = Envelope.written(message).text();
    return queue
        .updateMessage(sent.getMessageId(), sent.getPopReceipt(), text, Duration.ZERO)
        .then()
        .onErrorResume(Outbox::taken, failure -> send(message))
        .onErrorComplete();
  }

  /** Whether somebody else holds or has deleted the message, as its pop receipt tells. */
  static boolean taken(Throwable failure) {
    return failure instanceof QueueStorageException refused
        && TAKEN.contains(refused.getErrorCode());
  }
}
