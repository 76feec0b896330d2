package io.lazuli.client.pattern.lookup;

import io.lazuli.client.waiting.Waiting;
import java.util.Map;
import java.util.Optional;

/**
 * A small table that rarely changes, cached in memory. A call waits if the rows must be fetched
 * first. {@link AsyncLookup} describes each method in more detail. Thread-safe. Do not call it on a
 * Reactor thread.
 *
 * @param <K> the type of the key
 * @param <V> the type of the rows
 */
public final class Lookup<K, V> {
  private final AsyncLookup<K, V> async;

  Lookup(AsyncLookup<K, V> async) {
    this.async = async;
  }

  /** Returns this lookup with asynchronous calls. */
  public AsyncLookup<K, V> async() {
    return async;
  }

  /**
   * Returns the row with a key.
   *
   * @throws TooManyRows if there are more rows than the options allow
   */
  public Optional<V> find(K wanted) {
    return Waiting.optional(async.find(wanted));
  }

  /** Returns all rows in an unmodifiable map. */
  public Map<K, V> all() {
    return Waiting.result(async.all());
  }

  /** Drops the cached rows, for example after this process has changed one of them. */
  public void forget() {
    async.forget();
  }
}
