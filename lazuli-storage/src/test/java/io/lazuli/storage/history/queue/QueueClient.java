package io.lazuli.storage.history.queue;

import java.io.IOException;
import java.util.List;

/**
 * A client of a queue service, for one thread. Every method throws if the answer was lost; the
 * request may then have taken effect. No method sends a request twice.
 */
public interface QueueClient extends AutoCloseable {
  /** Creates a queue, until it exists. */
  void create(String queue);

  /** Puts a message that is visible immediately. */
  Message put(String queue, String text) throws IOException;

  /** Takes messages, which are invisible for a number of seconds. */
  List<Message> get(String queue, int max, int seconds) throws IOException;

  /** Shows messages that are visible. */
  List<Message> peek(String queue, int max) throws IOException;

  /**
   * Makes a message visible after a number of seconds.
   *
   * @return the new receipt; empty if the old one was refused
   */
  String update(String queue, String id, String receipt, int seconds) throws IOException;

  /** Returns false if the receipt was refused. */
  boolean delete(String queue, String id, String receipt) throws IOException;

  /** Returns the number of messages. */
  int count(String queue) throws IOException;

  /**
   * A message of an answer.
   *
   * @param receipt empty in the answer to a peek
   * @param dequeues how often it was handed out
   * @param text empty in the answer to a put
   */
  record Message(String id, String receipt, int dequeues, String text) {}
}
