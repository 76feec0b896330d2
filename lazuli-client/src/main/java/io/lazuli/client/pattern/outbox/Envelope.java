package io.lazuli.client.pattern.outbox;

import io.lazuli.client.entity.EntityKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The text of a message in the queue: the message, and whether the primary had been written when
 * the message was sent.
 *
 * @param written whether the primary was written; if not, it may still be written until the message
 *     is as old as {@code lastCheck}
 */
record Envelope(OutboxMessage message, boolean written, Duration lastCheck) {
  private static final String ANNOUNCED = "announced";
  private static final String WRITTEN = "written";

  static Envelope announced(OutboxMessage message, Duration lastCheck) {
    return new Envelope(message, false, lastCheck);
  }

  static Envelope written(OutboxMessage message) {
    return new Envelope(message, true, Duration.ZERO);
  }

  String text() {
    return Parts.join(
        written ? WRITTEN : ANNOUNCED,
        Long.toString(lastCheck.toSeconds()),
        message.kind(),
        message.key().partitionKey(),
        message.key().rowKey());
  }

  /** Parses the text of a message. Empty if no outbox wrote the text. */
  static Optional<Envelope> parse(String text) {
    try {
      List<String> parts = Parts.split(text);
      boolean written = parts.get(0).equals(WRITTEN);
      if (parts.size() != 5 || !(written || parts.get(0).equals(ANNOUNCED))) {
        return Optional.empty();
      }
      EntityKey key = new EntityKey(parts.get(3), parts.get(4));
      Duration lastCheck = Duration.ofSeconds(Long.parseLong(parts.get(1)));
      return Optional.of(new Envelope(new OutboxMessage(parts.get(2), key), written, lastCheck));
    } catch (IllegalArgumentException notOurs) {
      return Optional.empty();
    }
  }
}
