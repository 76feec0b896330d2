package io.lazuli.client.pattern.lookup;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A small table that rarely changes, in memory. Calls wait if it must be fetched; {@link
 * AsyncLookup} says more. Thread-safe. Do not call it on a thread of Reactor.
 *
 * @param <K> what rows are looked up by
 * @param <V> the rows
 */
public final class Lookup<K, V> {
  private final AsyncLookup<K, V> async;

  Lookup(AsyncLookup<K, V> async) {
    this.async = async;
  }

  /** The same lookup; calls do not wait. */
  public AsyncLookup<K, V> async() {
    return async;
  }

  /**
   * The row with a key.
   *
   * @throws TooManyRows if there are more rows than the options allow
   */
  public Optional<V> find(K wanted) {
    return async.find(wanted).blockOptional();
  }

  /** All rows. The map cannot be changed. */
  public Map<K, V> all() {
    return Objects.requireNonNull(async.all().block(), "the rows");
  }

  /** Forgets the rows, for example because one was just changed here. */
  public void forget() {
    async.forget();
  }
}
