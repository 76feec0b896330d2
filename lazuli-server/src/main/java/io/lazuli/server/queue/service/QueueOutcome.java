package io.lazuli.server.queue.service;

import io.lazuli.server.catalog.Metadata;
import io.lazuli.server.queue.model.QueueMessage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The outcome of a {@link QueueOperation}. */
public sealed interface QueueOutcome {
  /**
   * A queue in a list.
   *
   * @param stored the metadata as stored. Many short pairs take much more memory once decoded
   */
  record ListedQueue(String name, byte[] stored) {
    /** Decodes the metadata. */
    public Metadata metadata() {
      return Metadata.decode(stored);
    }
  }

  /**
   * A page of queues.
   *
   * @param next the name of the first queue of the next page; null on the last page
   */
  record QueuePage(List<ListedQueue> queues, @Nullable String next) implements QueueOutcome {}

  /**
   * The queue exists.
   *
   * @param made false if it existed before, with the same metadata
   */
  record QueueCreated(boolean made) implements QueueOutcome {}

  /** The metadata of a queue and the number of its messages. */
  record MetadataFound(Metadata metadata, long messages) implements QueueOutcome {}

  record MessagePut(QueueMessage message) implements QueueOutcome {}

  /** The messages that were handed out, in order; empty if no message was visible. */
  record MessagesTaken(List<QueueMessage> messages) implements QueueOutcome {}

  /** Messages that could be handed out, in order. */
  record MessagesSeen(List<QueueMessage> messages) implements QueueOutcome {}

  record MessageUpdated(QueueMessage message) implements QueueOutcome {}

  /** The operation is done and has no result. */
  record Done() implements QueueOutcome {}
}
