package io.lazuli.client.refresh;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.client.background.ContainedWork;
import io.lazuli.client.background.SharedResult;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A value that is fetched on first use and fetched again when it gets old. At most one fetch runs
 * at a time, however many callers there are. Without callers nothing is fetched. Mutable,
 * thread-safe.
 *
 * <p>While a value is due for renewal but still usable, a caller gets it immediately and the call
 * starts a fetch in the background. Once the value has ended, callers wait for the fetch. If a
 * fetch fails, the callers that wait for it get its error. A fetch also fails if it throws an
 * {@link Error}, or takes longer than five minutes. If the old value is still usable, the next
 * fetch is tried a second later.
 *
 * @param <V> the type of the value
 */
public final class Refreshed<V> {
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);

  /** A fetch that takes longer fails, so that a lost answer does not block all callers forever. */
  private static final Duration FETCH_MAX = Duration.ofMinutes(5);

  private final Mono<V> source;
  private final Function<? super V, Freshness> freshness;
  private final Clock clock;

  private final Object lock = new Object();

  @GuardedBy("lock")
  private @Nullable Held<V> held;

  @GuardedBy("lock")
  private @Nullable SharedResult<V> fetching;

  @GuardedBy("lock")
  private Instant notBefore = Instant.MIN;

  private record Held<V>(V value, Freshness freshness) {}

  /**
   * Creates a value that has not been fetched yet.
   *
   * @param source fetches the value each time it is subscribed to
   * @param freshness returns how long a newly fetched value may be used
   */
  public Refreshed(Mono<V> source, Function<? super V, Freshness> freshness, Clock clock) {
    this.source = source;
    this.freshness = freshness;
    this.clock = clock;
  }

  /** Returns the value, and fetches it first if necessary. */
  public Mono<V> value() {
    return Mono.defer(this::current);
  }

  /**
   * Drops the value: the next caller waits for a new one. If a fetch is already running, its result
   * is the new value.
   */
  public void forget() {
    synchronized (lock) {
      held = null;
    }
  }

  private Mono<V> current() {
    SharedResult<V> begun = null;
    Mono<V> answer;
    synchronized (lock) {
      Instant now = clock.instant();
      Held<V> old = held != null && now.isBefore(held.freshness().endsAt()) ? held : null;
      if (old != null && (now.isBefore(old.freshness().renewAt()) || now.isBefore(notBefore))) {
        return Mono.just(old.value());
      }
      SharedResult<V> fetch = fetching;
      if (fetch == null) {
        fetch = new SharedResult<>();
        fetching = fetch;
        begun = fetch;
      }
      answer = old == null ? fetch.value() : Mono.just(old.value());
    }
    if (begun != null) {
      fetch(begun);
    }
    return answer;
  }

  /**
   * Fetches the value with a separate subscription: a caller that cancels must not end the fetch
   * for the others.
   */
  private void fetch(SharedResult<V> fetch) {
    ContainedWork.of(this::fetchOnce)
        .timeout(FETCH_MAX)
        .subscribe(fetched -> fetched(fetch, fetched), failure -> failed(fetch, failure));
  }

  private Mono<Held<V>> fetchOnce() {
    return source
        .switchIfEmpty(Mono.error(() -> new IllegalStateException("nothing was fetched")))
        .map(value -> new Held<>(value, freshness.apply(value)));
  }

  private void fetched(SharedResult<V> fetch, Held<V> fetched) {
    synchronized (lock) {
      held = fetched;
      fetching = null;
    }
    fetch.succeed(fetched.value());
  }

  private void failed(SharedResult<V> fetch, Throwable failure) {
    synchronized (lock) {
      fetching = null;
      notBefore = clock.instant().plus(PAUSE_AFTER_FAILURE);
    }
    fetch.fail(failure);
  }
}
