package io.lazuli.server.queue.model;

import io.lazuli.server.error.CommonErrors;

/** A valid name of a queue (queue-rest 5.1). */
public record QueueName(String text) {
  private static final int LENGTH_MIN = 3;
  private static final int LENGTH_MAX = 63;

  /**
   * Returns the name, or throws the error that the service defines. The length is checked first.
   */
  public static QueueName require(String text) {
    if (text.length() < LENGTH_MIN || text.length() > LENGTH_MAX) {
      throw CommonErrors.NAME_LENGTH_OUT_OF_RANGE.exception();
    }
    boolean valid =
        text.chars().allMatch(c -> isLetterOrDigit(c) || c == '-')
            && isLetterOrDigit(text.charAt(0))
            && isLetterOrDigit(text.charAt(text.length() - 1))
            && !text.contains("--");
    if (!valid) {
      throw CommonErrors.INVALID_RESOURCE_NAME.exception();
    }
    return new QueueName(text);
  }

  private static boolean isLetterOrDigit(int c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  }
}
