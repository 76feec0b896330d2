package io.lazuli.server.queue.service;

import io.lazuli.server.catalog.Metadata;
import io.lazuli.server.queue.model.QueueMessage;
import io.lazuli.server.queue.model.QueueName;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The operations of the queue service. */
public sealed interface QueueOperation {
  /** Returns the action that the caller must be allowed to perform. */
  QueueAction action();

  /**
   * Lists queues, one page at a time.
   *
   * @param from the name of the first queue of this page; empty for the first page
   */
  record ListQueues(String prefix, String from, int max) implements QueueOperation {
    @Override
    public QueueAction action() {
      return QueueAction.LIST_QUEUES;
    }
  }

  /** An operation on one queue. */
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
   * @param text the text in UTF-8
   * @param ttl how long the message lives; null if it never expires
   */
  record PutMessage(QueueName queue, byte[] text, @Nullable Duration ttl, Duration invisible)
      implements OnQueue {
    @Override
    public QueueAction action() {
      return QueueAction.PUT_MESSAGE;
    }
  }

  /** Puts a message that was stored elsewhere, in the state that it had there. */
  record RestoreMessage(QueueName queue, QueueMessage message) implements OnQueue {
    @Override
    public QueueAction action() {
      return QueueAction.PUT_MESSAGE;
    }
  }

  /** Hands out messages, which become invisible for the given time. */
  record GetMessages(QueueName queue, int max, Duration invisible) implements OnQueue {
    @Override
    public QueueAction action() {
      return QueueAction.GET_MESSAGES;
    }
  }

  /** Returns messages that could be handed out, without handing them out. */
  record PeekMessages(QueueName queue, int max) implements OnQueue {
    @Override
    public QueueAction action() {
      return QueueAction.PEEK_MESSAGES;
    }
  }

  /**
   * Changes the time when a message becomes visible, and its text.
   *
   * @param id the id as the client sent it
   * @param receipt the receipt as the client sent it
   * @param text the text in UTF-8; null to keep the old text
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
   * @param id the id as the client sent it
   * @param receipt the receipt as the client sent it
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
