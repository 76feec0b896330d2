package io.lazuli.server.queue.service;

import io.lazuli.server.catalog.Metadata;
import io.lazuli.server.queue.model.QueueMessage;
import io.lazuli.server.queue.model.QueueName;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Everything that can be asked of the queue service. */
public sealed interface QueueOperation {
  /** What the caller must be allowed to do. */
  QueueAction action();

  /**
   * Lists queues, by page.
   *
   * @param from name of the first queue of this page; empty for the first page
   */
  record ListQueues(String prefix, String from, int max) implements QueueOperation {
    @Override
    public QueueAction action() {
      return QueueAction.LIST_QUEUES;
    }
  }

  /** What is about one queue. */
  sealed interface OnQueue extends QueueOperation {
    QueueName queue();
  }

  record CreateQueue(QueueName queue, Metadata metadata) implements OnQueue {
    @Override
    public QueueAction action() {
      return QueueAction.CREATE_QUEUE;
    }
  }

  record DeleteQueue(QueueName queue) implements OnQueue {
    @Override
    public QueueAction action() {
      return QueueAction.DELETE_QUEUE;
    }
  }

  record ReadMetadata(QueueName queue) implements OnQueue {
    @Override
    public QueueAction action() {
      return QueueAction.READ_METADATA;
    }
  }

  record ReplaceMetadata(QueueName queue, Metadata metadata) implements OnQueue {
    @Override
    public QueueAction action() {
      return QueueAction.REPLACE_METADATA;
    }
  }

  /**
   * Puts a message.
   *
   * @param text in UTF-8
   * @param ttl null for ever
   */
  record PutMessage(QueueName queue, byte[] text, @Nullable Duration ttl, Duration invisible)
      implements OnQueue {
    @Override
    public QueueAction action() {
      return QueueAction.PUT_MESSAGE;
    }
  }

  /** Puts a message that was kept elsewhere, in the state that it had there. */
  record RestoreMessage(QueueName queue, QueueMessage message) implements OnQueue {
    @Override
    public QueueAction action() {
      return QueueAction.PUT_MESSAGE;
    }
  }

  /** Hands out messages for some time. */
  record GetMessages(QueueName queue, int max, Duration invisible) implements OnQueue {
    @Override
    public QueueAction action() {
      return QueueAction.GET_MESSAGES;
    }
  }

  /** Shows messages that could be handed out. */
  record PeekMessages(QueueName queue, int max) implements OnQueue {
    @Override
    public QueueAction action() {
      return QueueAction.PEEK_MESSAGES;
    }
  }

  /**
   * Changes when a message becomes visible, and its text.
   *
   * @param id as the client gave it
   * @param receipt as the client gave it
   * @param text in UTF-8; null to keep what is there
   */
  record UpdateMessage(
      QueueName queue, String id, String receipt, Duration invisible, byte @Nullable [] text)
      implements OnQueue {
    @Override
    public QueueAction action() {
      return QueueAction.UPDATE_MESSAGE;
    }
  }

  /**
   * Removes a message.
   *
   * @param id as the client gave it
   * @param receipt as the client gave it
   */
  record DeleteMessage(QueueName queue, String id, String receipt) implements OnQueue {
    @Override
    public QueueAction action() {
      return QueueAction.DELETE_MESSAGE;
    }
  }

  /** Removes all messages. */
  record ClearMessages(QueueName queue) implements OnQueue {
    @Override
    public QueueAction action() {
      return QueueAction.CLEAR_MESSAGES;
    }
  }
}
