package io.lazuli.client.pattern.outbox;

import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.entity.EntityKey;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import reactor.core.publisher.Mono;

/** The work of a worker on one primary: it makes the copies in all targets equal to the primary. */
record Copying<T>(AsyncPrimaryTable<T> table) {
  Mono<Void> copy(EntityKey key) {
    Mono<Boolean> attempt =
        table
            .rows()
            .find(key)
            .flatMap(
                row ->
                    row.filter(found -> !found.isCopy())
                        .map(this::copy)
                        .orElseGet(() -> Mono.just(true)));
    return Swaps.until(key, attempt).then();
  }

  /** Makes all targets equal to the primary. The result is empty if it must be read again first. */
  private Mono<Boolean> copy(Row row) {
    Targets<T> targets = table.targets();
    Set<String> undeclared = targets.undeclared(row.copies());
    if (!undeclared.isEmpty()) {
      return Mono.error(new UndeclaredTarget(row.key(), undeclared));
    }
    return table
        .primary(row)
        .flatMap(
            primary -> {
              Set<String> current = primary.value().map(targets::of).orElseGet(Set::of);
              return row.copies().containsAll(current)
                  ? copy(row, primary, current, targets)
                  : list(row, current);
            });
  }

  private Mono<Boolean> copy(Row row, Primary<T> primary, Set<String> current, Targets<T> targets) {
    List<String> left = row.copies().stream().filter(name -> !current.contains(name)).toList();
    return targets
        .update(primary)
        .then(Mono.defer(() -> targets.removeCopies(left, primary)))
        .then(Mono.defer(() -> left.isEmpty() ? Mono.empty() : note(current, row)))
        .thenReturn(true);
  }

  /**
   * Lists the copies of a primary that a client wrote without knowing all targets. They are listed
   * before they are made: otherwise, if this worker died and the value changed, nobody would know
   * that they must be removed. The result is always empty, because the row must be read again.
   */
  private Mono<Boolean> list(Row row, Set<String> current) {
    Set<String> all = new LinkedHashSet<>(row.copies());
    all.addAll(current);
    return note(all, row).then(Mono.empty());
  }

  /**
   * Records which copies exist. If the primary has changed since it was read, the worker that
   * handles that change records it instead.
   */
  private Mono<Boolean> note(Set<String> copies, Row row) {
    EntityKey key = row.key();
    TableEntity noted = Row.listing(copies, new TableEntity(key.partitionKey(), key.rowKey()));
    return table.rows().merge(row, noted);
  }
}
