package io.lazuli.server.queue.service;

import io.lazuli.server.catalog.Metadata;
import io.lazuli.server.queue.model.QueueMessage;
import io.lazuli.server.queue.model.QueueName;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Everything that can be asked of the queue service. */
public sealed interface QueueOperation {
  /**
   * Lists queues, by page.
   *
   * @param from name of the first queue of this page; empty for the first page
   */
  record ListQueues(String prefix, String from, int max) implements QueueOperation {}

  /** What is about one queue. */
  sealed interface OnQueue extends QueueOperation {
    QueueName queue();
  }

  record CreateQueue(QueueName queue, Metadata metadata) implements OnQueue {}

  record DeleteQueue(QueueName queue) implements OnQueue {}

  record ReadMetadata(QueueName queue) implements OnQueue {}

  record ReplaceMetadata(QueueName queue, Metadata metadata) implements OnQueue {}

  /**
   * Puts a message.
   *
   * @param text in UTF-8
   * @param ttl null for ever
   */
  record PutMessage(QueueName queue, byte[] text, @Nullable Duration ttl, Duration invisible)
      implements OnQueue {}

  /** Puts a message that was kept elsewhere, in the state that it had there. */
  record RestoreMessage(QueueName queue, QueueMessage message) implements OnQueue {}

  /** Hands out messages for some time. */
  record GetMessages(QueueName queue, int max, Duration invisible) implements OnQueue {}

  /** Shows messages that could be handed out. */
  record PeekMessages(QueueName queue, int max) implements OnQueue {}

  /**
   * Changes when a message becomes visible, and its text.
   *
   * @param id as the client gave it
   * @param receipt as the client gave it
   * @param text in UTF-8; null to keep what is there
   */
  record UpdateMessage(
      QueueName queue, String id, String receipt, Duration invisible, byte @Nullable [] text)
      implements OnQueue {}

  /**
   * Removes a message.
   *
   * @param id as the client gave it
   * @param receipt as the client gave it
   */
  record DeleteMessage(QueueName queue, String id, String receipt) implements OnQueue {}

  /** Removes all messages. */
  record ClearMessages(QueueName queue) implements OnQueue {}
}
