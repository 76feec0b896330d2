package io.lazuli.storage.hbase;

import io.lazuli.storage.StorageException;

/**
 * Remembers whether something that is done again and again failed the last time. Done by one
 * thread, asked by any.
 */
final class LastOutcome {
  private volatile String fault = "";

  /** Does it; what is thrown is passed on. */
  void of(Runnable task) {
    boolean done = false;
    try {
      task.run();
      done = true;
      fault = "";
    } catch (StorageException e) {
      done = true;
      fault = String.valueOf(e.getMessage());
      throw e;
    } finally {
      if (!done) {
        fault = "it failed; the log says why";
      }
    }
  }

  /** Why it failed the last time; empty if it did not. */
  String fault() {
    return fault;
  }
}
