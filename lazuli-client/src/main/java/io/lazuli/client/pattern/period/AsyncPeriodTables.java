package io.lazuli.client.pattern.period;

import com.azure.data.tables.TableServiceAsyncClient;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.AsyncTable;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Entities in a table for each period of time. It remembers which tables there are; threads may
 * share it. The tables are made and deleted by this class only, in whichever process.
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

  /** 63 is the longest name of a table; ten digits, x and eight digits follow. */
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
          "a name has letters and digits, begins and ends with a letter, and has at most 44: "
              + name);
    }
    this.service = service;
    this.period = period;
    this.codec = codec;
    this.time = time;
    this.register = new Register(service, name, period);
  }

  /**
   * Entities in tables of an account.
   *
   * @param name what the names of the tables begin with; {@code Logins} becomes {@code
   *     Logins20260731x5a0be4c2} and {@code LoginsControl}
   * @param period the same in all processes, for ever
   * @param time of an entity, which decides its table; it must not change
   */
  public static <T> AsyncPeriodTables<T> of(
      TableServiceAsyncClient service,
      String name,
      Period period,
      EntityCodec<T> codec,
      Function<? super T, Instant> time) {
    return new AsyncPeriodTables<>(service, name, period, codec, time);
  }

  /** The same; every call waits for the result. */
  public PeriodTables<T> blocking() {
    return new PeriodTables<>(this);
  }

  /**
   * Inserts an entity into the table of its period.
   *
   * @return its ETag; {@link PeriodDropped} if it is too late, and else as {@link
   *     AsyncTable#insert}
   */
  public Mono<String> insert(T value) {
    return in(time.apply(value), table -> table.insert(value));
  }

  /** Inserts an entity into the table of its period, or replaces it there. */
  public Mono<String> upsertReplace(T value) {
    return in(time.apply(value), table -> table.upsertReplace(value));
  }

  /**
   * Does something with the table of a time, which is made if need be.
   *
   * @param action may be called a second time if the table was dropped meanwhile
   * @return what the action answers; {@link PeriodDropped} if the period has been dropped
   */
  public <R> Mono<R> in(Instant when, Function<AsyncTable<T>, Mono<R>> action) {
    String name = period.name(when);
    return Mono.defer(() -> table(name).flatMap(action))
        .onErrorResume(
            Gone::isTable,
            gone -> {
              open.remove(name);
              return table(name).flatMap(action);
            });
  }

  /** Many may wait for one that opens the period; if it fails, the next tries again. */
  private Mono<AsyncTable<T>> table(String name) {
    if (open.size() > REMEMBERED_MAX) {
      open.clear();
    }
    return open.computeIfAbsent(
        name,
        absent ->
            register
                .open(name)
                .map(this::tableNamed)
                .doOnError(failure -> open.remove(name))
                .cache());
  }

  private AsyncTable<T> tableNamed(String table) {
    return AsyncTable.of(service.getTableClient(table), codec);
  }

  /** The entity of a time with a key; empty if there is none, or its period was dropped. */
  public Mono<T> find(Instant when, EntityKey key) {
    String name = period.name(when);
    return Mono.defer(
            () -> {
              Mono<AsyncTable<T>> remembered = open.get(name);
              return remembered == null ? register.find(name).map(this::tableNamed) : remembered;
            })
        .flatMap(table -> table.find(key))
        .onErrorResume(
            failure -> failure instanceof PeriodDropped || Gone.isTable(failure),
            gone -> Mono.empty());
  }

  /**
   * The entities of a query in the periods from that of one time to that of another, period after
   * period, in each in the order of their keys. A table is asked when those before it have been
   * read; periods without a table, and those that are dropped meanwhile, are left out. What the
   * query says of times within a period, it says itself.
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
                        .onErrorResume(Gone::isTable, gone -> Flux.empty()),
                0);
    return query.top().isPresent() ? all.take(query.top().getAsInt()) : all;
  }

  /**
   * Drops all periods before that of a time, with their tables. If it fails or is stopped, doing it
   * again does the rest. What was dropped stays so: an earlier time changes nothing.
   *
   * @return how many tables this call deleted
   */
  public Mono<Long> dropBefore(Instant when) {
    return register.dropBefore(period.name(when));
  }
}
