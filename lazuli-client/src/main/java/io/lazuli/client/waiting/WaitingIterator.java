package io.lazuli.client.waiting;

import java.time.Duration;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;

/**
 * Iterates over the elements of a publisher and waits for each of them. It subscribes when the
 * first element is asked for. One thread iterates; any thread may deliver elements.
 */
final class WaitingIterator<R> extends BaseSubscriber<R> implements Iterator<R> {
  /** An element, or the end: a failure, or nothing. */
  private record Arrival<R>(@Nullable R element, @Nullable Throwable failure) {}

  private final Flux<R> source;
  private final int prefetch;
  private final Duration max;
  private final BlockingQueue<Arrival<R>> arrivals = new LinkedBlockingQueue<>();
  private boolean begun;
  private boolean ended;
  private @Nullable R next;

  WaitingIterator(Flux<R> source, int prefetch, Duration max) {
    this.source = source;
    this.prefetch = prefetch;
    this.max = max;
  }

  @Override
  public boolean hasNext() {
    if (next == null && !ended) {
      Waiting.checkThread();
      if (!begun) {
        begun = true;
        source.subscribe(this);
      }
      accept(arrival());
    }
    return next != null;
  }

  private Arrival<R> arrival() {
    try {
      Arrival<R> arrival = arrivals.poll(max.toMillis(), TimeUnit.MILLISECONDS);
      if (arrival == null) {
        cancel();
        ended = true;
        throw Waiting.late(max, new TimeoutException());
      }
      return arrival;
    } catch (InterruptedException e) {
      cancel();
      ended = true;
      throw Waiting.interrupted(e);
    }
  }

  private void accept(Arrival<R> arrival) {
    next = arrival.element();
    ended = next == null;
    if (arrival.failure() != null) {
      throw Waiting.thrown(arrival.failure());
    }
  }

  @Override
  public R next() {
    if (!hasNext() || next == null) {
      throw new NoSuchElementException();
    }
    R element = next;
    next = null;
    request(1);
    return element;
  }

  @Override
  protected void hookOnSubscribe(Subscription subscription) {
    request(prefetch);
  }

  @Override
  protected void hookOnNext(R element) {
    arrivals.add(new Arrival<>(element, null));
  }

  @Override
  protected void hookOnComplete() {
    arrivals.add(new Arrival<>(null, null));
  }

  @Override
  protected void hookOnError(Throwable failure) {
    arrivals.add(new Arrival<>(null, failure));
  }
}
