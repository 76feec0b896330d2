package io.lazuli.client.pattern.lookup;

import io.lazuli.client.query.Query;
import io.lazuli.client.refresh.Freshness;
import io.lazuli.client.refresh.Refreshed;
import io.lazuli.client.table.AsyncTable;
import java.time.Clock;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A small table that rarely changes, cached in memory: rows by a key. The rows are fetched on first
 * use and then at intervals, once for all callers. Thread-safe; keep one instance rather than one
 * for each request.
 *
 * @param <K> the type of the key
 * @param <V> the type of the rows
 */
public final class AsyncLookup<K, V> {
  private final AsyncTable<V> table;
  private final Query query;
  private final Function<? super V, ? extends K> key;
  private final LookupOptions options;
  private final Clock clock;
  private final Refreshed<Map<K, V>> rows;

  private AsyncLookup(
      AsyncTable<V> table,
      Query query,
      Function<? super V, ? extends K> key,
      LookupOptions options,
      Clock clock) {
    this.table = table;
    this.query = query;
    this.key = key;
    this.options = options;
    this.clock = clock;
    this.rows = new Refreshed<>(fetched(), fresh -> freshness(), clock);
  }

  /**
   * Creates a lookup of the rows of a query.
   *
   * @param key returns the key of a row; no two rows may have the same key
   */
  public static <K, V> AsyncLookup<K, V> of(
      AsyncTable<V> table, Query query, Function<? super V, ? extends K> key) {
    return new AsyncLookup<>(table, query, key, LookupOptions.DEFAULT, Clock.systemUTC());
  }

  /** Returns a new lookup with other options, which has fetched nothing yet. */
  public AsyncLookup<K, V> with(LookupOptions other) {
    return new AsyncLookup<>(table, query, key, other, clock);
  }

  /** Returns a new lookup with another clock, which has fetched nothing yet. */
  public AsyncLookup<K, V> with(Clock other) {
    return new AsyncLookup<>(table, query, key, options, other);
  }

  /** Returns this lookup with blocking calls. */
  public Lookup<K, V> blocking() {
    return new Lookup<>(this);
  }

  /**
   * Returns the row with a key; empty if there is none. Fails with {@link TooManyRows} if there are
   * more rows than the options allow.
   */
  public Mono<V> find(K wanted) {
    return all().flatMap(all -> Mono.justOrEmpty(all.get(wanted)));
  }

  /** Returns all rows in an unmodifiable map. */
  public Mono<Map<K, V>> all() {
    return rows.value();
  }

  /**
   * Joins values with the rows that they refer to, in order.
   *
   * @param reference returns the key that a value refers to
   * @param both combines a value with its row, which is empty if there is none
   */
  public <L, R> Flux<R> join(
      Flux<L> values,
      Function<? super L, ? extends K> reference,
      BiFunction<? super L, Optional<V>, ? extends R> both) {
    return values.concatMap(
        value ->
            all()
                .map(
                    all ->
                        both.apply(value, Optional.ofNullable(all.get(reference.apply(value))))));
  }

  /** Drops the cached rows, for example after this process has changed one of them. */
  public void forget() {
    rows.forget();
  }

  private Freshness freshness() {
    Instant renewAt = clock.instant().plus(options.refreshEvery());
    return new Freshness(renewAt, renewAt.plus(options.staleMax()));
  }

  private Mono<Map<K, V>> fetched() {
    return Mono.defer(
        () -> table.query(query).take(options.rowsMax() + 1L).collectList().map(this::byKey));
  }

  private Map<K, V> byKey(List<V> found) {
    if (found.size() > options.rowsMax()) {
      throw new TooManyRows(query.toString(), options.rowsMax());
    }
    Map<K, V> all = new HashMap<>();
    for (V row : found) {
      K name = key.apply(row);
      if (all.put(name, row) != null) {
        throw new IllegalStateException("two rows of the lookup table have the key " + name);
      }
    }
    return Collections.unmodifiableMap(all);
  }
}
