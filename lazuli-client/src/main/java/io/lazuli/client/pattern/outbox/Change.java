package io.lazuli.client.pattern.outbox;

import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.table.OutcomeUnknown;
import io.lazuli.client.table.WriteMark;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Mono;

/**
 * One change of a primary by a client, with all its attempts.
 *
 * @param change takes the current value or empty, and returns the next value or empty
 * @param keepsUnknown whether properties that the codec does not know are kept
 */
record Change<T>(
    AsyncPrimaryTable<T> table,
    EntityKey key,
    UnaryOperator<Optional<T>> change,
    boolean keepsUnknown,
    WriteMark mark) {
  /** A row that was read, its primary, and the next value. */
  private record Plan<T>(Optional<Row> before, Primary<T> current, Optional<T> next) {
    /** Returns whether the value is absent both before and after the change. */
    boolean isNothing() {
      return current.value().isEmpty() && next.isEmpty();
    }
  }

  Mono<Primary<T>> run() {
    return table
        .rows()
        .find(key)
        .flatMap(this::planned)
        .flatMap(
            plan ->
                plan.isNothing()
                    ? Mono.just(plan.current())
                    : written(plan).flatMap(next -> announced(plan, next)));
  }

  /**
   * Announces and writes a change. The first write was encoded before this call, so that a value
   * that cannot be written is rejected without an announcement, and so that no time passes between
   * announcement and write while keys are fetched.
   */
  private Mono<Primary<T>> announced(Plan<T> first, TableEntity next) {
    Mono<Primary<T>> again = table.rows().find(key).flatMap(this::attempt);
    return table
        .outbox()
        .around(table.message(key), swap(first, next).switchIfEmpty(Swaps.until(key, again)))
        .onErrorMap(TimeoutException.class, late -> new OutcomeUnknown(key, late));
  }

  /**
   * Applies the change to the row that was read and writes the result. Empty if another client
   * changed the entity in between.
   */
  private Mono<Primary<T>> attempt(Optional<Row> before) {
    return planned(before)
        .flatMap(
            plan ->
                plan.isNothing()
                    ? Mono.just(plan.current())
                    : written(plan).flatMap(next -> swap(plan, next)));
  }

  private Mono<TableEntity> written(Plan<T> plan) {
    return table.next(key, plan.before(), plan.next(), keepsUnknown);
  }

  private Mono<Primary<T>> swap(Plan<T> plan, TableEntity next) {
    long version = new Row(next).version();
    return table
        .rows()
        .swapOnce(plan.before(), next, mark)
        .filter(done -> done)
        .map(done -> new Primary<>(key, version, plan.next()));
  }

  private Mono<Plan<T>> planned(Optional<Row> before) {
    if (before.filter(Row::moving).isPresent()) {
      return Mono.error(new MovingFailure(key));
    }
    if (before.filter(Row::isCopy).isPresent()) {
      return Mono.error(
          new IllegalArgumentException(
              "this key has a copy, which only its primary may change: " + key));
    }
    return current(before)
        .map(current -> new Plan<>(before, current, change.apply(current.value())));
  }

  private Mono<Primary<T>> current(Optional<Row> before) {
    return before
        .map(table::primary)
        .orElseGet(() -> Mono.just(new Primary<>(key, 0, Optional.empty())));
  }
}
