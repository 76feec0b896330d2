package io.lazuli.client.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.fault.TestClient;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Mono;

class EntityGroupTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private final TestClient client = TestClient.of(ACCOUNT);
  private final AsyncTable<TableEntity> table =
      AsyncTable.of(client.table(client.newTable()), EntityCodec.dynamic());

  private final AtomicInteger attempts = new AtomicInteger();

  @Test
  void aTransactionStartsOverIfAnEntityChanged() {
    table.insert(row("a", 1)).block();
    int sum =
        transact(
            group ->
                group
                    .read("a")
                    .flatMap(found -> once(table.upsertReplace(row("a", 10))).thenReturn(found))
                    .map(
                        found -> {
                          int next = number(found.orElseThrow()) + 1;
                          group.put(row("a", next));
                          return next;
                        }));
    assertThat(sum).isEqualTo(11);
    assertThat(number("a")).isEqualTo(11);
    assertThat(attempts).hasValue(2);
  }

  @Test
  void nonFiniteNumbersKeepTheirTypeInATransaction() {
    table.insert(row("a", 1).addProperty("Odd", Double.NaN)).block();
    transact(
        group ->
            group.read("a").doOnNext(found -> group.put(group.copy(found.orElseThrow(), "b"))));
    assertThat(table.find(new EntityKey("p", "b")).block().getProperty("Odd"))
        .isEqualTo(Double.NaN);
  }

  @Test
  void aTransactionStartsOverIfAnEntityWasInserted() {
    transact(
        group ->
            group
                .read("a")
                .flatMap(found -> once(table.insert(row("a", 10))).thenReturn(found))
                .map(
                    found -> {
                      group.put(row("a", found.map(EntityGroupTest::number).orElse(0) + 1));
                      return true;
                    }));
    assertThat(number("a")).isEqualTo(11);
  }

  @Test
  void aTransactionStartsOverIfAnEntityWasDeleted() {
    table.insert(row("a", 1)).block();
    boolean there =
        transact(
            group ->
                group
                    .read("a")
                    .flatMap(found -> once(table.deleteIfExists(key("a"))).thenReturn(found))
                    .map(
                        found -> {
                          found.ifPresent(row -> group.delete("a"));
                          return found.isPresent();
                        }));
    assertThat(there).isFalse();
  }

  @Test
  void aTransactionStartsOverIfARequiredRowIsMissing() {
    TableEntity found =
        transact(
            group ->
                Mono.just(attempts.get())
                    .filter(attempt -> attempt == 2)
                    .flatMap(second -> table.insert(row("a", 7)))
                    .then(Mono.defer(() -> group.require("a"))));
    assertThat(number(found)).isEqualTo(7);
    assertThat(attempts).hasValue(2);
  }

  @Test
  void aRejectedWriteWithoutAReadIsFinal() {
    table.insert(row("a", 1)).block();
    assertThatThrownBy(
            () ->
                transact(
                    group -> {
                      group.put(row("b", 2));
                      group.insert(row("a", 2));
                      return Mono.just(true);
                    }))
        .isInstanceOfSatisfying(
            AlreadyExists.class, taken -> assertThat(taken.key()).isEqualTo(key("a")));
    assertThat(attempts).hasValue(1);
    assertThat(table.find(key("b")).blockOptional()).isEmpty();
  }

  @Test
  void aRowThatWasNotReadIsReplaced() {
    table.insert(row("a", 1)).block();
    transact(
        group -> {
          group.put(row("a", 2));
          group.put(row("b", 3));
          return Mono.just(true);
        });
    assertThat(number("a")).isEqualTo(2);
    assertThat(number("b")).isEqualTo(3);
  }

  @Test
  void aBodyThatFailsOrWritesNothingSendsNothing() {
    assertThatThrownBy(
            () ->
                transact(
                    group -> {
                      group.put(row("a", 1));
                      return Mono.error(new IllegalStateException("no"));
                    }))
        .hasMessage("no");
    assertThat(client.count(() -> transact(group -> Mono.just(true)))).isZero();
    assertThat(table.find(key("a")).blockOptional()).isEmpty();
  }

  private <R> R transact(Function<EntityGroup, Mono<R>> body) {
    return EntityGroup.transact(
            table,
            "p",
            group -> {
              attempts.incrementAndGet();
              return body.apply(group);
            })
        .blockOptional()
        .orElseThrow();
  }

  /** Runs the action of another client during the first attempt. */
  private Mono<Void> once(Mono<?> act) {
    return attempts.get() == 1 ? act.then() : Mono.empty();
  }

  private int number(String row) {
    return number(table.find(key(row)).blockOptional().orElseThrow());
  }

  private static int number(TableEntity entity) {
    return (Integer) entity.getProperty("Number");
  }

  private static EntityKey key(String row) {
    return new EntityKey("p", row);
  }

  private static TableEntity row(String row, int number) {
    return new TableEntity("p", row).addProperty("Number", number);
  }
}
