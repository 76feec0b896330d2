package io.lazuli.client.waiting;

/**
 * A blocking call stopped waiting before its result arrived, because {@link Waiting#MAX} had passed
 * or because its thread was interrupted. A write may or may not have been made: read the entity
 * before you repeat the write. The cause is a {@link java.util.concurrent.TimeoutException} or an
 * {@link InterruptedException}.
 */
public final class NoAnswer extends RuntimeException {
  private static final long serialVersionUID = 1;

  NoAnswer(String message, Throwable cause) {
    super(message, cause);
  }
}
