package io.lazuli.client.pattern.period;

import static io.lazuli.client.query.Filter.rowKey;

import com.azure.data.tables.TableServiceAsyncClient;
import com.azure.data.tables.models.ListTablesOptions;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableItem;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.AlreadyExists;
import io.lazuli.client.table.AsyncTable;
import io.lazuli.client.table.Batch;
import io.lazuli.client.table.BatchFailed;
import io.lazuli.client.table.Condition;
import io.lazuli.client.table.NotFound;
import io.lazuli.client.table.TableFailure;
import io.lazuli.client.table.Write;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.retry.Retry;

/**
 * The control table: it stores the name of each period's table, and the first period that is kept.
 * The package documentation explains the design.
 */
final class Register {
  private static final String MARK = "mark";
  private static final String FIRST_KEPT = "FirstKept";
  private static final String TABLE = "Table";
  private static final int ATTEMPTS = 20;
  private static final Duration BACKOFF = Duration.ofMillis(5);
  private static final int RANDOM_DIGITS = 8;
  private static final int DROPS_AT_ONCE = 4;

  private final TableServiceAsyncClient service;
  private final String name;
  private final Period period;
  private final AsyncTable<TableEntity> control;

  Register(TableServiceAsyncClient service, String name, Period period) {
    this.service = service;
    this.name = name;
    this.period = period;
    this.control = AsyncTable.of(service.getTableClient(name + "Control"), EntityCodec.dynamic());
  }

  /** The state of a period: the mark, and its table if it is open. */
  private record View(TableEntity mark, Optional<String> table) {
    String firstKept() {
      return firstKept(mark);
    }

    private static String firstKept(TableEntity mark) {
      return String.valueOf(mark.getProperty(FIRST_KEPT));
    }
  }

  /** Another process opened the period or moved the mark in between. */
  private static final class Overtaken extends RuntimeException {
    private static final long serialVersionUID = 1;

    Overtaken(Throwable cause) {
      super("other processes opened or dropped periods at every attempt", cause);
    }
  }

  /**
   * Returns the table of a period and opens the period if necessary. Fails with {@link
   * PeriodDropped} if the period was dropped.
   */
  Mono<String> open(String periodName) {
    return Mono.defer(
        () -> {
          String fresh = freshName(periodName);
          return view(periodName)
              .flatMap(view -> opened(periodName, view, fresh, false))
              .onErrorResume(Overtaken.class, overtaken -> openAgain(periodName, fresh));
        });
  }

  private String freshName(String periodName) {
    String random = UUID.randomUUID().toString().substring(0, RANDOM_DIGITS);
    return name + periodName + "x" + random;
  }

  private Mono<String> openAgain(String periodName, String created) {
    return view(periodName)
        .flatMap(view -> opened(periodName, view, created, true))
        .retryWhen(
            Retry.backoff(ATTEMPTS, BACKOFF)
                .filter(Overtaken.class::isInstance)
                .onRetryExhaustedThrow((spec, signal) -> signal.failure()));
  }

  /**
   * Opens a period, given its state. The created table is deleted only once the period is known to
   * be dropped or to have another table: from then on not even a pending attempt can open the
   * period with the created table.
   */
  private Mono<String> opened(String periodName, View view, String fresh, boolean isCreated) {
    Mono<Void> cleanup = isCreated ? delete(fresh).then() : Mono.empty();
    if (periodName.compareTo(view.firstKept()) < 0) {
      return cleanup.then(Mono.error(() -> new PeriodDropped(periodName, view.firstKept())));
    }
    if (view.table().isPresent()) {
      String table = view.table().get();
      return (table.equals(fresh) ? Mono.<Void>empty() : cleanup).thenReturn(table);
    }
    Mono<Void> create = isCreated ? Mono.empty() : service.createTableIfNotExists(fresh).then();
    return create.then(Mono.defer(() -> enter(periodName, view.mark(), fresh))).thenReturn(fresh);
  }

  private Mono<Void> enter(String periodName, TableEntity mark, String table) {
    TableEntity entry = new TableEntity(name, periodName).addProperty(TABLE, table);
    TableEntity unmoved = new TableEntity(name, MARK);
    return control
        .batch(Batch.of(Write.insert(entry), Write.merge(unmoved, Condition.eTag(mark.getETag()))))
        .onErrorMap(Register::isOvertaken, Overtaken::new)
        .then();
  }

  private static boolean isOvertaken(Throwable failure) {
    return failure instanceof BatchFailed failed && failed.getCause() instanceof TableFailure;
  }

  /** Returns the table of an open period; empty if it is not open. */
  Mono<String> find(String periodName) {
    return control
        .find(new EntityKey(name, periodName))
        .map(Register::table)
        .onErrorResume(MissingTable::isCauseOf, gone -> Mono.empty());
  }

  /** Returns the tables of the periods from one to another, in order. */
  Flux<String> tables(String from, String to) {
    return control
        .query(Query.partition(name).and(rowKey().ge(from)).and(rowKey().le(to)))
        .map(Register::table)
        .onErrorResume(MissingTable::isCauseOf, gone -> Flux.empty());
  }

  private static String table(TableEntity entry) {
    return String.valueOf(entry.getProperty(TABLE));
  }

  /** Reads the period and the mark in one query: the mark sorts after the periods. */
  private Mono<View> view(String periodName) {
    return control
        .query(Query.partition(name).and(rowKey().ge(periodName)))
        .collectList()
        .onErrorResume(MissingTable::isCauseOf, gone -> Mono.just(List.of()))
        .flatMap(
            found ->
                found.isEmpty()
                    ? createMark().then(Mono.defer(() -> view(periodName)))
                    : Mono.just(view(periodName, found)));
  }

  private static View view(String periodName, List<TableEntity> found) {
    TableEntity first = found.get(0);
    Optional<String> table =
        first.getRowKey().equals(periodName) ? Optional.of(table(first)) : Optional.empty();
    return new View(found.get(found.size() - 1), table);
  }

  /** Creates the control table and the mark, unless another process has already created them. */
  private Mono<Void> createMark() {
    TableEntity mark = new TableEntity(name, MARK).addProperty(FIRST_KEPT, "");
    return service
        .createTableIfNotExists(control.name())
        .then(Mono.defer(() -> control.insert(mark)))
        .onErrorResume(AlreadyExists.class, there -> Mono.empty())
        .then();
  }

  /** Moves the mark, then deletes the tables of earlier periods; returns their number. */
  Mono<Long> dropBefore(String firstKept) {
    Mono<TableEntity> move =
        control.update(new EntityKey(name, MARK), mark -> moved(mark, firstKept));
    return move.onErrorResume(
            failure -> failure instanceof NotFound || MissingTable.isCauseOf(failure),
            missing -> createMark().then(move))
        .flatMap(
            mark ->
                dropTables(View.firstKept(mark))
                    .flatMap(count -> deleteEntries(View.firstKept(mark)).thenReturn(count)));
  }

  /** Moves the mark forward, never back. */
  private static TableEntity moved(TableEntity mark, String firstKept) {
    return View.firstKept(mark).compareTo(firstKept) < 0
        ? mark.addProperty(FIRST_KEPT, firstKept)
        : mark;
  }

  /** Deletes all tables of earlier periods, including those that were created but never used. */
  private Mono<Long> dropTables(String firstKept) {
    String before = "TableName ge '%s0' and TableName lt '%s'";
    String ours = name + "[0-9]{" + period.digits() + "}x[0-9a-f]{" + RANDOM_DIGITS + "}";
    return service
        .listTables(new ListTablesOptions().setFilter(before.formatted(name, name + firstKept)))
        .map(TableItem::getName)
        .filter(table -> table.matches(ours))
        .flatMap(this::delete, DROPS_AT_ONCE)
        .count();
  }

  private Mono<String> delete(String table) {
    return service
        .deleteTable(table)
        .onErrorResume(MissingTable::isCauseOf, gone -> Mono.empty())
        .thenReturn(table);
  }

  private Mono<Void> deleteEntries(String firstKept) {
    return control
        .query(Query.partition(name).and(rowKey().lt(firstKept)))
        .concatMap(entry -> control.deleteIfExists(EntityKey.of(entry)))
        .then();
  }
}
