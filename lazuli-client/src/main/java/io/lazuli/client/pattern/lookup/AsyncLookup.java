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
 * A small table that rarely changes, in memory: rows by a key. It is fetched when it is first asked
 * for and from time to time after that, once for all who ask. Thread-safe; keep one, not one for
 * each request.
 *
 * @param <K> what rows are looked up by
 * @param <V> the rows
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
   * A lookup of the rows that a query finds.
   *
   * @param key no two rows have the same
   */
  public static <K, V> AsyncLookup<K, V> of(
      AsyncTable<V> table, Query query, Function<? super V, ? extends K> key) {
    return new AsyncLookup<>(table, query, key, LookupOptions.DEFAULT, Clock.systemUTC());
  }

  /** Another lookup, with other options. Nothing was fetched yet. */
  public AsyncLookup<K, V> with(LookupOptions other) {
    return new AsyncLookup<>(table, query, key, other, clock);
  }

  /** Another lookup, with another clock. Nothing was fetched yet. */
  public AsyncLookup<K, V> with(Clock other) {
    return new AsyncLookup<>(table, query, key, options, other);
  }

  /** The same lookup; calls wait. */
  public Lookup<K, V> blocking() {
    return new Lookup<>(this);
  }

  /**
   * The row with a key; empty if there is none.
   *
   * @throws TooManyRows as signal, if there are more rows than the options allow
   */
  public Mono<V> find(K wanted) {
    return all().flatMap(all -> Mono.justOrEmpty(all.get(wanted)));
  }

  /** All rows. The map cannot be changed. */
  public Mono<Map<K, V>> all() {
    return rows.value();
  }

  /**
   * Completes values with the rows that they refer to, in order.
   *
   * @param reference what a value refers to
   * @param both makes one of a value and its row, or of a value without one
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

  /** Forgets the rows, for example because one was just changed here. */
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
