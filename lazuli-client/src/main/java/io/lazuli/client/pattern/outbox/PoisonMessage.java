package io.lazuli.client.pattern.outbox;

import java.util.List;
import java.util.Optional;

/**
 * A message that the workers gave up on, and the reason. Immutable.
 *
 * @param text the message as it was in its queue
 * @param attempts how often it was delivered
 * @param reason the failure of the last attempt
 */
public record PoisonMessage(String text, long attempts, String reason) {
  private static final int REASON_CHARS_MAX = 1000;

  /** Truncates a long reason, so that the message fits in the queue. */
  public PoisonMessage {
    reason = reason.substring(0, Math.min(reason.length(), REASON_CHARS_MAX));
  }

  /** Returns the original message, if an outbox sent it. */
  public Optional<OutboxMessage> message() {
    return Envelope.parse(text).map(Envelope::message);
  }

  String encoded() {
    return Parts.join("poison", Long.toString(attempts), reason, text);
  }

  /**
   * Decodes the text of a message in the poison queue. A message that no worker put there is
   * returned with its own text.
   */
  static PoisonMessage decode(String encoded) {
    try {
      List<String> parts = Parts.split(encoded);
      return parts.size() == 4 && parts.get(0).equals("poison")
          ? new PoisonMessage(parts.get(3), Long.parseLong(parts.get(1)), parts.get(2))
          : foreign(encoded);
    } catch (IllegalArgumentException notOurs) {
      return foreign(encoded);
    }
  }

  private static PoisonMessage foreign(String text) {
    return new PoisonMessage(text, 0, "the message was not put here by a worker");
  }
}
