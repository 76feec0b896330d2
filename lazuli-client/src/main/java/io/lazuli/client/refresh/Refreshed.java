package io.lazuli.client.refresh;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * A value that is fetched when it is first asked for, and again when it is old. However many ask,
 * one fetch is under way at a time. Nothing is fetched while nobody asks. Mutable, thread-safe.
 *
 * <p>Who asks for a value that is to be renewed gets it at once, and sets off the fetch of the
 * next; who asks for one that has ended waits. A fetch that fails is told to those who wait for it.
 * If the old value can still be used, the next fetch is tried a little later.
 *
 * @param <V> the value
 */
public final class Refreshed<V> {
  private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(1);

  private final Mono<V> source;
  private final Function<? super V, Freshness> freshness;
  private final Clock clock;

  private final Object lock = new Object();

  @GuardedBy("lock")
  private @Nullable Held<V> held;

  @GuardedBy("lock")
  private Sinks.@Nullable One<V> fetching;

  @GuardedBy("lock")
  private Instant notBefore = Instant.MIN;

  private record Held<V>(V value, Freshness freshness) {}

  /**
   * A value that was not fetched yet.
   *
   * @param source fetches it each time it is subscribed to
   * @param freshness how long a value that was just fetched may be used
   */
  public Refreshed(Mono<V> source, Function<? super V, Freshness> freshness, Clock clock) {
    this.source = source;
    this.freshness = freshness;
    this.clock = clock;
  }

  /** The value. */
  public Mono<V> value() {
    return Mono.defer(this::current);
  }

  /** Forgets the value: who asks next waits for another. A fetch under way is that other. */
  public void forget() {
    synchronized (lock) {
      held = null;
    }
  }

  private Mono<V> current() {
    Sinks.One<V> begun = null;
    Mono<V> answer;
    synchronized (lock) {
      Instant now = clock.instant();
      Held<V> old = held != null && now.isBefore(held.freshness().endsAt()) ? held : null;
      if (old != null && (now.isBefore(old.freshness().renewAt()) || now.isBefore(notBefore))) {
        return Mono.just(old.value());
      }
      Sinks.One<V> fetch = fetching;
      if (fetch == null) {
        fetch = Sinks.one();
        fetching = fetch;
        begun = fetch;
      }
      answer = old == null ? fetch.asMono() : Mono.just(old.value());
    }
    if (begun != null) {
      fetch(begun);
    }
    return answer;
  }

  /** Not ended by those who wait: others may have joined them. */
  private void fetch(Sinks.One<V> fetch) {
    source
        .switchIfEmpty(Mono.error(() -> new IllegalStateException("nothing was fetched")))
        .map(value -> new Held<>(value, freshness.apply(value)))
        .subscribe(fetched -> fetched(fetch, fetched), failure -> failed(fetch, failure));
  }

  private void fetched(Sinks.One<V> fetch, Held<V> fetched) {
    synchronized (lock) {
      held = fetched;
      fetching = null;
    }
    fetch.tryEmitValue(fetched.value());
  }

  private void failed(Sinks.One<V> fetch, Throwable failure) {
    synchronized (lock) {
      fetching = null;
      notBefore = clock.instant().plus(PAUSE_AFTER_FAILURE);
    }
    fetch.tryEmitError(failure);
  }
}
