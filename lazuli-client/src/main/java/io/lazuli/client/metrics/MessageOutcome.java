package io.lazuli.client.metrics;

/** What became of a message that a worker received. */
public enum MessageOutcome {
  /** The step is done. */
  DONE,
  /** The step failed, and the message is delivered again. */
  FAILED,
  /** The message is now in the poison queue. */
  POISONED,
  /** The worker was closed before the step was done, and the message is visible again. */
  RELEASED
}
