package io.lazuli.server.queue.model;

import io.lazuli.storage.Ticks;
import java.time.Instant;
import java.util.UUID;

/**
 * A stored message. Times are in ticks (100 ns since 1601). Immutable; nobody may write to the
 * text.
 *
 * @param inserted the time when it was put; together with the id it orders messages of the same
 *     time
 * @param expires the time from which the message does not exist any more
 * @param visibleAt the time from which the message may be handed out
 * @param change the change number: how often the message was handed out or updated; it makes each
 *     receipt different
 * @param dequeueCount how often the message was handed out
 * @param text the text in UTF-8
 */
public record QueueMessage(
    UUID id,
    long inserted,
    long expires,
    long visibleAt,
    int change,
    int dequeueCount,
    byte[] text) {
  /** The expiry of messages that never expire, as the protocol shows it. */
  public static final long NEVER = Ticks.of(Instant.parse("9999-12-31T23:59:59Z"));

  /**
   * Returns a message that has just been put.
   *
   * @param ttlTicks how long the message lives; {@link #NEVER} if it never expires
   */
  public static QueueMessage put(
      UUID id, long now, long ttlTicks, long invisibleTicks, byte[] text) {
    long expires = ttlTicks >= NEVER - now ? NEVER : now + ttlTicks;
    return new QueueMessage(id, now, expires, now + invisibleTicks, 0, 0, text);
  }

  /** Returns the message as it is handed out, invisible until the given time. */
  public QueueMessage handedOut(long until) {
    return new QueueMessage(id, inserted, expires, until, change + 1, dequeueCount + 1, text);
  }

  /** Returns the message after an update, with a new visibility time and text. */
  public QueueMessage updated(long newVisibleAt, byte[] newText) {
    return new QueueMessage(id, inserted, expires, newVisibleAt, change + 1, dequeueCount, newText);
  }

  /** Returns the same state of the message, but not visible before the given time. */
  public QueueMessage notVisibleBefore(long time) {
    return visibleAt >= time
        ? this
        : new QueueMessage(id, inserted, expires, time, change, dequeueCount, text);
  }

  public boolean isExpired(long now) {
    return now >= expires;
  }

  public boolean isVisible(long now) {
    return !isExpired(now) && visibleAt <= now;
  }

  /** Returns the receipt for this state of the message. */
  public PopReceipt receipt() {
    return new PopReceipt(inserted, change);
  }
}
