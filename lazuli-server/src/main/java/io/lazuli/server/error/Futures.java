package io.lazuli.server.error;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Works with futures and their failures. A {@link CompletionException} hides the real exception in
 * its cause.
 */
public final class Futures {
  /** Longer than the deadline of any background step. */
  private static final Duration WAIT_MAX = Duration.ofMinutes(10);

  private Futures() {}

  /** Returns the exception that a future failed with, without its wrappers. */
  public static Throwable cause(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  /**
   * Waits for a result; only for background threads and commands, never for requests. Throws the
   * exception that the stage failed with, without its wrappers.
   */
  public static <T extends @Nullable Object> T await(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().get(WAIT_MAX.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      Throwable cause = cause(e.getCause() == null ? e : e.getCause());
      throw cause instanceof RuntimeException failure ? failure : new CompletionException(cause);
    } catch (TimeoutException e) {
      throw new IllegalStateException("no result in " + WAIT_MAX, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /**
   * Applies a function to a result: on the calling thread if the result is there, otherwise on the
   * executor. So heavy work does not run on a thread of the engine.
   */
  public static <T extends @Nullable Object, R extends @Nullable Object>
      CompletableFuture<R> thenApply(
          CompletionStage<T> stage, Executor executor, Function<T, R> function) {
    CompletableFuture<T> future = stage.toCompletableFuture();
    return future.isDone() ? future.thenApply(function) : future.thenApplyAsync(function, executor);
  }

  /** Returns a future with the results of all futures, in order. */
  public static <T extends @Nullable Object> CompletableFuture<List<T>> all(
      List<CompletableFuture<T>> futures) {
    return CompletableFuture.allOf(futures.toArray(CompletableFuture<?>[]::new))
        .thenApply(done -> futures.stream().map(CompletableFuture::join).toList());
  }

  /**
   * Repeats a step until it returns false. A step begins when the one before is complete. Steps
   * that are complete immediately run in a loop, so their number does not matter for the stack.
   */
  public static CompletableFuture<@Nullable Void> repeat(
      Supplier<CompletableFuture<Boolean>> step) {
    CompletableFuture<@Nullable Void> end = new CompletableFuture<>();
    repeat(step, end);
    return end;
  }

  private static void repeat(
      Supplier<CompletableFuture<Boolean>> step, CompletableFuture<@Nullable Void> end) {
    try {
      boolean more = true;
      while (more) {
        CompletableFuture<Boolean> next = step.get();
        if (!next.isDone()) {
          CompletableFuture<Boolean> unused =
              next.whenComplete((again, failure) -> goOn(step, end, again, failure));
          return;
        }
        more = next.join();
      }
      end.complete(null);
    } catch (RuntimeException | Error e) {
      end.completeExceptionally(cause(e));
    }
  }

  private static void goOn(
      Supplier<CompletableFuture<Boolean>> step,
      CompletableFuture<@Nullable Void> end,
      @Nullable Boolean again,
      @Nullable Throwable failure) {
    if (failure != null) {
      end.completeExceptionally(cause(failure));
    } else if (Boolean.TRUE.equals(again)) {
      repeat(step, end);
    } else {
      end.complete(null);
    }
  }
}
