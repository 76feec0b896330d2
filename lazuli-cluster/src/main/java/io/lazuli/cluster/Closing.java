package io.lazuli.cluster;

import org.jspecify.annotations.Nullable;

/** Steps of a close, each of which runs even if another fails. Used by one thread. */
final class Closing {
  private @Nullable RuntimeException failure;

  /** Closes something after a failure, which stays the one that counts. */
  static void after(RuntimeException failure, Runnable close) {
    try {
      close.run();
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  void run(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      if (failure == null) {
        failure = e;
      } else {
        failure.addSuppressed(e);
      }
    }
  }

  /** Throws the first failure, if there was one. */
  void end() {
    if (failure != null) {
      throw failure;
    }
  }
}
