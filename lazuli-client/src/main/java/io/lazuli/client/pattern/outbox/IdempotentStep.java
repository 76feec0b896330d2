package io.lazuli.client.pattern.outbox;

import java.util.Map;
import java.util.function.Consumer;
import reactor.core.publisher.Mono;

/**
 * What a worker does for a message. It may be done again, by several workers at once, and for
 * messages that were sent in vain; each time it ends in the same state. It therefore reads the
 * primary again, and lets nothing older replace what is newer.
 */
@FunctionalInterface
public interface IdempotentStep {
  /** Does the step. If it fails, the message is handed out again later. */
  Mono<Void> apply(OutboxMessage message);

  /** This step, then the next; both again if one of them fails. */
  default IdempotentStep then(IdempotentStep next) {
    return message -> apply(message).then(Mono.defer(() -> next.apply(message)));
  }

  /**
   * A step that waits, as one that writes a file or calls a blocking client does; it runs on one of
   * a few threads that are kept for such steps.
   */
  static IdempotentStep blocking(Consumer<OutboxMessage> step) {
    return message ->
        Mono.<Void>fromRunnable(() -> step.accept(message)).subscribeOn(WaitingThreads.ALL);
  }

  /** The step of the message's kind. Messages of other kinds fail, and end in the poison queue. */
  static IdempotentStep byKind(Map<String, IdempotentStep> steps) {
    Map<String, IdempotentStep> known = Map.copyOf(steps);
    IdempotentStep none =
        message ->
            Mono.error(
                new IllegalArgumentException("no step for messages of kind " + message.kind()));
    return message -> known.getOrDefault(message.kind(), none).apply(message);
  }
}
