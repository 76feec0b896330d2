package io.lazuli.storage.engine;

import io.lazuli.storage.thread.OutOfMemory;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Calls of an engine whose data is local. They run on the calling thread. */
public final class LocalCall {
  private LocalCall() {}

  /** Runs the work. Returns a completed future with its result or with whatever it throws. */
  public static <T extends @Nullable Object> CompletableFuture<T> run(Supplier<T> work) {
    try {
      return CompletableFuture.completedFuture(work.get());
    } catch (Throwable failure) {
      // The future carries the failure, even an error of a visitor, as it does on other engines.
      OutOfMemory.check(failure);
      return CompletableFuture.failedFuture(failure);
    }
  }

  /** Returns the result of a future that a local engine has completed, or throws its failure. */
  public static <T extends @Nullable Object> T result(CompletableFuture<T> completed) {
    try {
      return completed.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException failure ? failure : e;
    }
  }
}
