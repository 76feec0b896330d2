package io.lazuli.client.pattern.period;

import com.azure.data.tables.TableServiceAsyncClient;
import io.lazuli.client.background.ContainedWork;
import io.lazuli.client.background.SharedResult;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.AsyncTable;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Stores entities in one table for each period of time. Remembers the names of the tables;
 * thread-safe. No process may create or delete the tables by other means.
 *
 * <pre>{@code
 * AsyncPeriodTables<Login> logins =
 *     AsyncPeriodTables.of(service, "Logins", Period.DAY, EntityCodec.of(Login.class), Login::time);
 * logins.insert(login)
 * logins.dropBefore(now.minus(30, DAYS))
 * }</pre>
 *
 * @param <T> the type of the entities
 */
public final class AsyncPeriodTables<T> {
  private static final int REMEMBERED_MAX = 1_000;

  /** Opening a table fails after this time, so that a lost answer does not block all callers. */
  private static final Duration OPEN_MAX = Duration.ofMinutes(5);

  /** A table name has at most 63 characters: ten digits, an x and eight digits follow this name. */
  private static final String NAME = "[A-Za-z]([A-Za-z0-9]{0,42}[A-Za-z])?";

  private final TableServiceAsyncClient service;
  private final Period period;
  private final EntityCodec<T> codec;
  private final Function<? super T, Instant> time;
  private final Register register;
  private final ConcurrentMap<String, Mono<AsyncTable<T>>> open = new ConcurrentHashMap<>();

  private AsyncPeriodTables(
      TableServiceAsyncClient service,
      String name,
      Period period,
      EntityCodec<T> codec,
      Function<? super T, Instant> time) {
    if (!name.matches(NAME)) {
      throw new IllegalArgumentException(
          "a name must have at most 44 letters and digits, and begin and end with a letter: "
              + name);
    }
    codec.checkWritable();
    this.service = service;
    this.period = period;
    this.codec = codec;
    this.time = time;
    this.register = new Register(service, name, period);
  }

  /**
   * Creates the period tables of an account.
   *
   * @param name the prefix of the table names; {@code Logins} becomes {@code
   *     Logins20260731x5a0be4c2} and {@code LoginsControl}
   * @param period must be the same in all processes and must never change
   * @param time returns the time of an entity, which determines its table; it must not change
   */
  public static <T> AsyncPeriodTables<T> of(
      TableServiceAsyncClient service,
      String name,
      Period period,
      EntityCodec<T> codec,
      Function<? super T, Instant> time) {
    return new AsyncPeriodTables<>(service, name, period, codec, time);
  }

  /** Returns these tables with blocking calls. */
  public PeriodTables<T> blocking() {
    return new PeriodTables<>(this);
  }

  /**
   * Inserts an entity into the table of its period.
   *
   * @return the value with its ETag; the error {@link PeriodDropped} if the period was dropped,
   *     otherwise errors as for {@link AsyncTable#insert}
   */
  public Mono<T> insert(T value) {
    return in(time.apply(value), table -> table.insert(value));
  }

  /** Inserts an entity into the table of its period, or replaces it there. */
  public Mono<T> upsertReplace(T value) {
    return in(time.apply(value), table -> table.upsertReplace(value));
  }

  /**
   * Runs an action on the table of a time, which is created if necessary.
   *
   * @param action may be called a second time if the table was dropped in between
   * @return the result of the action; the error {@link PeriodDropped} if the period was dropped
   */
  public <R> Mono<R> in(Instant when, Function<AsyncTable<T>, Mono<R>> action) {
    String name = period.name(when);
    return Mono.defer(() -> table(name).flatMap(action))
        .onErrorResume(
            MissingTable::isCauseOf,
            gone -> {
              open.remove(name);
              return table(name).flatMap(action);
            });
  }

  /**
   * Returns the table of a period. Callers share one attempt to open it; if it fails, the next call
   * tries again.
   */
  private Mono<AsyncTable<T>> table(String name) {
    if (open.size() > REMEMBERED_MAX) {
      open.clear();
    }
    return open.computeIfAbsent(
        name,
        absent ->
            SharedResult.of(
                ContainedWork.of(() -> register.open(name).map(this::tableNamed))
                    .timeout(OPEN_MAX)
                    .doOnError(failure -> open.remove(name))));
  }

  private AsyncTable<T> tableNamed(String table) {
    return AsyncTable.of(service.getTableClient(table), codec);
  }

  /**
   * Returns the entity of a time with a key; empty if there is none, or if its period was dropped.
   */
  public Mono<T> find(Instant when, EntityKey key) {
    String name = period.name(when);
    return Mono.defer(
            () -> {
              Mono<AsyncTable<T>> remembered = open.get(name);
              return remembered == null ? register.find(name).map(this::tableNamed) : remembered;
            })
        .flatMap(table -> table.find(key))
        .onErrorResume(
            failure -> failure instanceof PeriodDropped || MissingTable.isCauseOf(failure),
            gone -> Mono.empty());
  }

  /**
   * Returns the entities of a query in the periods between two times, inclusive, period by period,
   * each in the order of its keys. A table is queried when the previous ones have been read.
   * Periods without a table, and periods that are dropped in between, are left out. The query
   * itself must restrict times within a period.
   *
   * @param from a time in the first period
   * @param to a time in the last period
   */
  public Flux<T> query(Query query, Instant from, Instant to) {
    Flux<T> all =
        register
            .tables(period.name(from), period.name(to))
            .concatMap(
                table ->
                    tableNamed(table)
                        .query(query)
                        .onErrorResume(MissingTable::isCauseOf, gone -> Flux.empty()),
                0);
    return query.top().isPresent() ? all.take(query.top().getAsInt()) : all;
  }

  /**
   * Drops all periods before the period of a time, with their tables. If it fails or is
   * interrupted, call it again to finish. Dropped periods stay dropped: an earlier time changes
   * nothing.
   *
   * @return the number of tables that this call deleted
   */
  public Mono<Long> dropBefore(Instant when) {
    return register.dropBefore(period.name(when));
  }
}
