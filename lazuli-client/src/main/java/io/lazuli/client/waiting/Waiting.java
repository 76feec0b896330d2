package io.lazuli.client.waiting;

import java.time.Duration;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Waits for the results of asynchronous calls, for a limited time. A result can fail to arrive:
 * Reactor drops a {@link LinkageError}, and with it the answer that the error would have been. The
 * caller then gets {@link NoAnswer}. An interrupted thread stops waiting immediately, and stays
 * interrupted.
 */
public final class Waiting {
  /**
   * The longest time that a call waits for its result, or a stream for its next element: ten
   * minutes, or the number of seconds in the system property {@code lazuli.client.waitSeconds} when
   * this class is loaded. It is longer than the default retries of the SDK take: four attempts of
   * about a minute each.
   */
  public static final Duration MAX =
      Duration.ofSeconds(Math.max(1, Long.getLong("lazuli.client.waitSeconds", 600)));

  /**
   * The longest time that a call waits that works through a whole table or container, or uploads
   * large values: {@link #MAX} for each of 144 steps, which is a day by default.
   */
  public static final Duration JOB_MAX = MAX.multipliedBy(144);

  private static final int PREFETCH = 256;

  private Waiting() {}

  /** Waits for a result that always exists. */
  public static <R> R result(Mono<R> call) {
    return optional(call, MAX).orElseThrow();
  }

  /** Waits for a result that always exists. Does not wait if the result is there already. */
  public static <R> R result(CompletableFuture<R> call) {
    return optional(call, MAX).orElseThrow();
  }

  /** Waits for a result that may be absent. */
  public static <R> Optional<R> optional(Mono<R> call) {
    return optional(call, MAX);
  }

  /** Waits until a call is done. */
  public static void done(Mono<?> call) {
    optional(call, MAX);
  }

  /** Waits for the result of a call that may take as long as {@link #JOB_MAX}. */
  public static <R> R job(Mono<R> call) {
    return optional(call, JOB_MAX).orElseThrow();
  }

  /** Returns a stream that waits for each element. Close it if it is not read to its end. */
  public static <R> Stream<R> stream(Flux<R> call) {
    return stream(call, PREFETCH, MAX);
  }

  /** Like {@link #stream(Flux)}; requests only the element that the stream needs next. */
  public static <R> Stream<R> streamOnDemand(Flux<R> call) {
    return stream(call, 1, MAX);
  }

  static <R> Optional<R> optional(Mono<R> call, Duration max) {
    checkThread();
    return optional(call.toFuture(), max);
  }

  private static <R> Optional<R> optional(CompletableFuture<R> result, Duration max) {
    try {
      return Optional.ofNullable(result.get(max.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException e) {
      result.cancel(true);
      throw late(max, e);
    } catch (InterruptedException e) {
      result.cancel(true);
      throw interrupted(e);
    } catch (ExecutionException e) {
      throw thrown(e.getCause() == null ? e : e.getCause());
    }
  }

  static <R> Stream<R> stream(Flux<R> call, int prefetch, Duration max) {
    WaitingIterator<R> elements = new WaitingIterator<>(call, prefetch, max);
    return StreamSupport.stream(
            Spliterators.spliteratorUnknownSize(
                elements, Spliterator.ORDERED | Spliterator.NONNULL),
            false)
        .onClose(elements::cancel);
  }

  static void checkThread() {
    if (Schedulers.isInNonBlockingThread()) {
      throw new IllegalStateException(
          "Blocking calls are not allowed in thread "
              + Thread.currentThread().getName()
              + "; use the asynchronous calls there");
    }
  }

  static NoAnswer late(Duration max, TimeoutException cause) {
    return new NoAnswer("no answer within " + max, cause);
  }

  static NoAnswer interrupted(InterruptedException cause) {
    Thread.currentThread().interrupt();
    return new NoAnswer("interrupted while waiting for an answer", cause);
  }

  /**
   * Returns the failure of a call. The failure was created on another thread, so the place where
   * the caller waited is added to it.
   */
  static RuntimeException thrown(Throwable failure) {
    RuntimeException thrown = Exceptions.propagate(failure);
    thrown.addSuppressed(new Exception("the caller waited here"));
    return thrown;
  }
}
