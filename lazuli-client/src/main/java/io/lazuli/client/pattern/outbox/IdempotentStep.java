package io.lazuli.client.pattern.outbox;

import io.lazuli.client.background.ContainedWork;
import java.util.Map;
import java.util.function.Consumer;
import reactor.core.publisher.Mono;

/**
 * The work of a worker for a message. It may be repeated, run in several workers at the same time,
 * and run for messages without a change; it always ends in the same state. It must therefore read
 * the primary again and never replace a newer version by an older one.
 */
@FunctionalInterface
public interface IdempotentStep {
  /**
   * Does the step. If it fails, the message is delivered again later. It fails if this method
   * throws anything, also an {@link Error}, or if the result has an error.
   */
  Mono<Void> apply(OutboxMessage message);

  /**
   * Returns a step that does this step and then the next; both are repeated if one of them fails.
   */
  default IdempotentStep then(IdempotentStep next) {
    return message -> apply(message).then(ContainedWork.of(() -> next.apply(message)));
  }

  /**
   * Returns a step that may block, such as one that writes a file or calls a blocking client. It
   * runs on a small pool of threads for such steps.
   */
  static IdempotentStep blocking(Consumer<OutboxMessage> step) {
    return message ->
        ContainedWork.boundary(
            ContainedWork.of(() -> Mono.<Void>fromRunnable(() -> step.accept(message)))
                .subscribeOn(BlockingStepThreads.ALL));
  }

  /**
   * Returns the step for the message's kind. Messages of other kinds fail and go to the poison
   * queue.
   */
  static IdempotentStep byKind(Map<String, IdempotentStep> steps) {
    Map<String, IdempotentStep> known = Map.copyOf(steps);
    IdempotentStep none =
        message ->
            Mono.error(
                new IllegalArgumentException(
                    "there is no step for messages of kind " + message.kind()));
    return message -> known.getOrDefault(message.kind(), none).apply(message);
  }
}
