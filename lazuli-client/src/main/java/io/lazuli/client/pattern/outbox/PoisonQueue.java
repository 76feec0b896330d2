package io.lazuli.client.pattern.outbox;

import com.azure.storage.queue.QueueAsyncClient;
import com.azure.storage.queue.models.QueueMessageItem;
import java.time.Duration;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The queue of messages that workers gave up, for an operator to inspect. Thread-safe. */
public final class PoisonQueue {
  private static final Duration NEVER_EXPIRES = Duration.ofSeconds(-1);
  private static final Duration WHILE_MOVED = Duration.ofSeconds(30);
  private static final int MESSAGES_MAX = 32;

  private final QueueAsyncClient queue;

  private PoisonQueue(QueueAsyncClient queue) {
    this.queue = queue;
  }

  /**
   * Returns a poison queue that uses an existing queue, which must not be the queue of the workers.
   */
  public static PoisonQueue of(QueueAsyncClient queue) {
    return new PoisonQueue(queue);
  }

  Mono<Void> put(PoisonMessage message) {
    return queue.sendMessageWithResponse(message.encoded(), Duration.ZERO, NEVER_EXPIRES).then();
  }

  /** Returns the first messages, at most 32, without removing them. */
  public Flux<PoisonMessage> peek() {
    return queue
        .peekMessages(MESSAGES_MAX)
        .map(item -> PoisonMessage.decode(item.getBody().toString()));
  }

  /**
   * Sends all visible messages back to the queue of the workers, once the cause of their failure is
   * fixed. If a response is lost, a message may be sent back twice, or stay hidden in this queue
   * for 30 seconds: then call this method again.
   *
   * @return the number of messages
   */
  public Mono<Long> sendBack(QueueAsyncClient workers) {
    return Mono.defer(() -> sendSomeBack(workers))
        .expand(moved -> moved == 0 ? Mono.empty() : sendSomeBack(workers))
        .reduce(0L, Long::sum);
  }

  private Mono<Long> sendSomeBack(QueueAsyncClient workers) {
    return queue
        .receiveMessages(MESSAGES_MAX, WHILE_MOVED)
        .concatMap(item -> move(item, workers).thenReturn(1L))
        .reduce(0L, Long::sum);
  }

  private Mono<Void> move(QueueMessageItem item, QueueAsyncClient workers) {
    String text = PoisonMessage.decode(item.getBody().toString()).text();
    return workers
        .sendMessageWithResponse(text, Duration.ZERO, NEVER_EXPIRES)
        .then(queue.deleteMessage(item.getMessageId(), item.getPopReceipt()))
        .onErrorResume(Outbox::taken, gone -> Mono.empty());
  }
}
