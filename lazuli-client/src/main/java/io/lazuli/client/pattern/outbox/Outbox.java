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
 * The client's side of an eventually consistent transaction: it announces a change to the workers
 * before the change is made, so that no change is forgotten. Immutable and thread-safe.
 *
 * <h2>The order of requests</h2>
 *
 * <ol>
 *   <li>The client puts a message that is hidden for a while ({@link #hiddenFor}).
 *   <li>It writes the primary.
 *   <li>It marks the message as written and makes it visible.
 * </ol>
 *
 * <p>A client that crashes after step 1 leaves a message that becomes visible by itself. A worker
 * that receives a message without the mark does the step, which is right if the write was made. It
 * then lets the message reappear once more, when the message reaches the age of the last check
 * ({@link #lastCheckAfter}), because the client may only have been slow. The outbox gives up work
 * that takes longer than this age. So the only assumption about time is that a request that was
 * given up does not take effect after the last check.
 */
public final class Outbox {
  /** Messages do not expire, however long they wait for a worker. */
  private static final Duration NEVER_EXPIRES = Duration.ofSeconds(-1);

  private static final Set<QueueErrorCode> TAKEN =
      Set.of(QueueErrorCode.MESSAGE_NOT_FOUND, QueueErrorCode.POP_RECEIPT_MISMATCH);

  private final QueueAsyncClient queue;
  private final Duration hidden;
  private final Duration lastCheck;

  private Outbox(QueueAsyncClient queue, Duration hidden, Duration lastCheck) {
    this.queue = queue;
    this.hidden = hidden;
    this.lastCheck = lastCheck;
  }

  /**
   * Creates an outbox on an existing queue; messages are hidden for 30 seconds, and the last check
   * is after 10 minutes.
   */
  public static Outbox of(QueueAsyncClient queue) {
    return new Outbox(queue, Duration.ofSeconds(30), Duration.ofMinutes(10));
  }

  /**
   * Returns an outbox whose messages are hidden for another time, in whole seconds. The time should
   * be longer than most writes take.
   */
  public Outbox hiddenFor(Duration time) {
    return new Outbox(queue, time, lastCheck);
  }

  /**
   * Returns an outbox with another age for the last check of a message that was never marked as
   * written, in whole seconds. Work that takes longer than this age is given up. With zero there is
   * only one check and no time limit, which is right only if no client is slower than the time for
   * which messages are hidden.
   */
  public Outbox lastCheckAfter(Duration age) {
    return new Outbox(queue, hidden, age);
  }

  /**
   * Announces work, does it, and makes the message visible: two requests in addition to those of
   * the work. If the work fails, the message stays, because the work may have been done
   * nevertheless.
   *
   * @return the result of the work, even if the message could not be made visible; the message then
   *     becomes visible by itself
   */
  public <R> Mono<R> around(OutboxMessage message, Mono<R> work) {
    return put(Envelope.announced(message, lastCheck), hidden)
        .flatMap(sent -> limited(work).flatMap(result -> release(sent, message).thenReturn(result)))
        .flatMap(Mono::justOrEmpty);
  }

  /** Sends a message for a change that is already written: one request. */
  public Mono<Void> send(OutboxMessage message) {
    return put(Envelope.written(message), Duration.ZERO).then();
  }

  private <R> Mono<Optional<R>> limited(Mono<R> work) {
    Mono<Optional<R>> result = work.map(Optional::of).defaultIfEmpty(Optional.empty());
    return lastCheck.isZero() ? result : result.timeout(lastCheck);
  }

  private Mono<SendMessageResult> put(Envelope envelope, Duration invisible) {
    return queue
        .sendMessageWithResponse(envelope.text(), invisible, NEVER_EXPIRES)
        .map(Response::getValue);
  }

  /**
   * Makes the message visible. If a worker has received it already, that worker may have read the
   * primary too early, so another message is sent.
   */
  private Mono<Void> release(SendMessageResult sent, OutboxMessage message) {
    String text = Envelope.written(message).text();
    return queue
        .updateMessage(sent.getMessageId(), sent.getPopReceipt(), text, Duration.ZERO)
        .then()
        .onErrorResume(Outbox::taken, failure -> send(message))
        .onErrorComplete();
  }

  /**
   * Returns whether somebody else has received or deleted the message, according to its pop
   * receipt.
   */
  static boolean taken(Throwable failure) {
    return failure instanceof QueueStorageException refused
        && TAKEN.contains(refused.getErrorCode());
  }
}
