package io.lazuli.server.error;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Unwraps the failures of futures: a {@link CompletionException} hides the real exception in its
 * cause.
 */
public final class Futures {
  private Futures() {}

  /** Returns the exception that a future failed with, without its wrappers. */
  public static Throwable cause(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  /** Waits for a future. Throws the exception that it failed with, without its wrappers. */
  public static <T> T join(CompletableFuture<T> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      throw cause(e) instanceof RuntimeException cause ? cause : e;
    }
  }
}
