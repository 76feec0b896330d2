package io.lazuli.server.queue.model;

import io.lazuli.storage.Ticks;
import java.time.Instant;
import java.util.UUID;

/**
 * A message as it is stored. Times are in ticks (100 ns since 1601). Does not change; whoever holds
 * the text must not write to it.
 *
 * @param inserted when it was put; together with the id its place among messages of the same time
 * @param expires from then on it does not exist any more
 * @param visibleAt from then on it may be handed out
 * @param change how often it was handed out or updated: what makes its receipt a new one
 * @param dequeueCount how often it was handed out
 * @param text in UTF-8
 */
public record QueueMessage(
    UUID id,
    long inserted,
    long expires,
    long visibleAt,
    int change,
    int dequeueCount,
    byte[] text) {
  /** When messages expire that never do: what the protocol shows for it. */
  public static final long NEVER = Ticks.of(Instant.parse("9999-12-31T23:59:59Z"));

  /**
   * A message that has just been put.
   *
   * @param ttlTicks how long it lives; {@link #NEVER} for ever
   */
  public static QueueMessage put(
      UUID id, long now, long ttlTicks, long invisibleTicks, byte[] text) {
    long expires = ttlTicks >= NEVER - now ? NEVER : now + ttlTicks;
    return new QueueMessage(id, now, expires, now + invisibleTicks, 0, 0, text);
  }

  /** The same, handed out until some time. */
  public QueueMessage handedOut(long until) {
    return new QueueMessage(id, inserted, expires, until, change + 1, dequeueCount + 1, text);
  }

  /** The same with another time and text. */
  public QueueMessage updated(long newVisibleAt, byte[] newText) {
    return new QueueMessage(id, inserted, expires, newVisibleAt, change + 1, dequeueCount, newText);
  }

  public boolean isExpired(long now) {
    return now >= expires;
  }

  public boolean isVisible(long now) {
    return !isExpired(now) && visibleAt <= now;
  }

  /** What proves that its holder has the newest state of the message. */
  public PopReceipt receipt() {
    return new PopReceipt(inserted, change);
  }
}
