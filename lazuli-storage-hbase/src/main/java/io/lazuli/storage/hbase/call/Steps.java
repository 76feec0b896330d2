package io.lazuli.storage.hbase.call;

import io.lazuli.storage.StorageException;
import io.lazuli.storage.thread.OutOfMemory;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs asynchronous steps one after another. A failure reaches the last future as it is: the JDK's
 * own methods would wrap it. A step that throws fails the future that depends on it.
 */
public final class Steps {
  private Steps() {}

  /** Returns the result of a second step, which begins with the result of the first. */
  public static <T extends @Nullable Object, R> CompletableFuture<R> then(
      CompletableFuture<T> first, Function<? super T, CompletableFuture<R>> second) {
    CompletableFuture<R> result = new CompletableFuture<>();
    listen(first, result, value -> pass(second.apply(value), result));
    return result;
  }

  /** Returns the result of a step, changed by a function that does not wait. */
  public static <T extends @Nullable Object, R> CompletableFuture<R> map(
      CompletableFuture<T> first, Function<? super T, R> change) {
    CompletableFuture<R> result = new CompletableFuture<>();
    listen(first, result, value -> result.complete(change.apply(value)));
    return result;
  }

  /** Returns the result of a step, or of another step that begins with the failure of the first. */
  public static <T> CompletableFuture<T> rescue(
      CompletableFuture<T> first, Function<Throwable, CompletableFuture<T>> second) {
    CompletableFuture<T> result = new CompletableFuture<>();
    listen(first, result, result::complete, failure -> pass(second.apply(failure), result));
    return result;
  }

  /** Takes a step for each element, one after another. */
  public static <E> CompletableFuture<Boolean> each(
      Iterable<E> elements, Function<? super E, CompletableFuture<Boolean>> step) {
    CompletableFuture<Boolean> result = new CompletableFuture<>();
    rest(elements.iterator(), step, result);
    return result;
  }

  /** A loop, because steps that end immediately would otherwise fill the stack. */
  private static <E> void rest(
      Iterator<E> elements,
      Function<? super E, CompletableFuture<Boolean>> step,
      CompletableFuture<Boolean> result) {
    while (elements.hasNext()) {
      E element = elements.next();
      CompletableFuture<Boolean> one = begin(() -> step.apply(element));
      if (!one.isDone() || one.isCompletedExceptionally()) {
        listen(one, result, done -> rest(elements, step, result));
        return;
      }
    }
    result.complete(true);
  }

  /** Takes a step again and again, until it returns false. */
  public static CompletableFuture<Boolean> repeat(Supplier<CompletableFuture<Boolean>> step) {
    CompletableFuture<Boolean> result = new CompletableFuture<>();
    again(step, result);
    return result;
  }

  private static void again(
      Supplier<CompletableFuture<Boolean>> step, CompletableFuture<Boolean> result) {
    boolean goOn = true;
    while (goOn) {
      CompletableFuture<Boolean> one = begin(step);
      if (!one.isDone() || one.isCompletedExceptionally()) {
        listen(
            one,
            result,
            more -> {
              if (more) {
                again(step, result);
              } else {
                result.complete(true);
              }
            });
        return;
      }
      goOn = one.join();
    }
    result.complete(true);
  }

  /** Completes a future with the outcome of another. */
  public static <T> void pass(CompletableFuture<T> from, CompletableFuture<T> to) {
    listen(from, to, to::complete);
  }

  /**
   * Waits for a value.
   *
   * @param result fails if the future fails or the listener throws
   */
  public static <T extends @Nullable Object> void listen(
      CompletableFuture<T> future, CompletableFuture<?> result, Consumer<? super T> onValue) {
    listen(future, result, onValue, result::completeExceptionally);
  }

  /**
   * Waits for a value or a failure.
   *
   * @param result fails if a listener throws
   */
  public static <T extends @Nullable Object> void listen(
      CompletableFuture<T> future,
      CompletableFuture<?> result,
      Consumer<? super T> onValue,
      Consumer<Throwable> onFailure) {
    CompletableFuture<T> unused =
        future.whenComplete(
            (value, failure) -> {
              try {
                if (failure == null) {
                  onValue.accept(value);
                } else {
                  onFailure.accept(unwrapped(failure));
                }
              } catch (Throwable e) {
                OutOfMemory.check(e);
                result.completeExceptionally(e);
              }
            });
  }

  /** Begins a step. If it throws, returns a failed future. */
  public static <T> CompletableFuture<T> begin(Supplier<CompletableFuture<T>> step) {
    try {
      return step.get();
    } catch (Throwable e) {
      OutOfMemory.check(e);
      return CompletableFuture.failedFuture(e);
    }
  }

  /**
   * Waits for the end of a step and returns its result. Only background threads and the opening and
   * closing of the engine may wait. An interrupt does not end the wait; it is restored afterwards.
   */
  public static <T extends @Nullable Object> T await(CompletableFuture<T> step) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return step.get();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      throw unchecked(unwrapped(e));
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static RuntimeException unchecked(Throwable failure) {
    if (failure instanceof RuntimeException known) {
      return known;
    }
    if (failure instanceof Error error) {
      throw error;
    }
    return new StorageException(
        StorageException.Kind.UNAVAILABLE, String.valueOf(failure.getMessage()), failure);
  }

  private static Throwable unwrapped(Throwable failure) {
    @Nullable Throwable cause = failure.getCause();
    return cause != null
            && (failure instanceof CompletionException || failure instanceof ExecutionException)
        ? cause
        : failure;
  }
}
