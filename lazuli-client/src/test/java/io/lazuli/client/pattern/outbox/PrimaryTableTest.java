package io.lazuli.client.pattern.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.HttpMethod;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.NotRehearsed;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.AlreadyExists;
import io.lazuli.client.table.AsyncTable;
import io.lazuli.client.table.NotFound;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class PrimaryTableTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private static final Instant NOON = Instant.parse("2026-11-15T12:00:00Z");

  private final TestClient client = TestClient.of(ACCOUNT);
  private final Work work = Work.fresh(client);
  private final String table = client.newTable();
  private final AsyncPrimaryTable<Employee> employees =
      AsyncPrimaryTable.of(
          "employee", AsyncTable.of(client.table(table), Employee.class), work.outbox(client));
  private final PrimaryTable<Employee> blocking = employees.blocking();

  private static Clock at(Instant time) {
    return Clock.fixed(time, ZoneOffset.UTC);
  }

  @Test
  void everyChangeHasAGreaterVersionEvenIfTheClockStops() {
    AsyncPrimaryTable<Employee> standing = employees.with(at(NOON));
    assertThat(
            Flux.concat(
                    standing.insert(Employee.JONES),
                    standing.put(Employee.JONES.withSalary(2)),
                    standing.update(Employee.JONES.key(), jones -> jones.withSalary(3)),
                    standing.change(Employee.JONES.key(), jones -> Optional.empty()),
                    standing.insert(Employee.JONES))
                .map(Primary::version)
                .toStream())
        .containsExactly(
            NOON.toEpochMilli(),
            NOON.toEpochMilli() + 1,
            NOON.toEpochMilli() + 2,
            NOON.toEpochMilli() + 3,
            NOON.toEpochMilli() + 4);
  }

  @Test
  void theVersionDoesNotDecreaseWithTheClock() {
    long first = versionOf(employees.with(at(NOON)).insert(Employee.JONES));
    long second = versionOf(employees.with(at(NOON.minusSeconds(60))).put(Employee.JONES));
    assertThat(second).isEqualTo(first + 1);
  }

  @Test
  void anEntityCreatedAfterItsTombstoneWasSweptHasAGreaterVersion() {
    employees.with(at(NOON)).insert(Employee.JONES).block();
    employees.with(at(NOON)).delete(Employee.JONES.key()).block();
    long old =
        employees.read(Employee.JONES.key()).map(Primary::version).blockOptional().orElseThrow();
    assertThat(employees.with(at(NOON.plusSeconds(2))).sweep(Duration.ofSeconds(1)).block())
        .isEqualTo(1);
    assertThat(employees.read(Employee.JONES.key()).blockOptional()).isEmpty();
    assertThat(versionOf(employees.with(at(NOON.plusSeconds(2))).insert(Employee.JONES)))
        .isGreaterThan(old);
  }

  private static long versionOf(Mono<Primary<Employee>> change) {
    return change.map(Primary::version).blockOptional().orElseThrow();
  }

  @Test
  void deletedEntitiesAreNotReturned() {
    blocking.insert(Employee.JONES);
    assertThat(blocking.query(Query.all())).containsExactly(Employee.JONES);
    blocking.delete(Employee.JONES.key());
    assertThat(blocking.find(Employee.JONES.key())).isEmpty();
    assertThat(blocking.query(Query.all())).isEmpty();
    assertThat(blocking.query(Query.all().select("Email", "Salary"))).isEmpty();
  }

  @Test
  void insertAndUpdateRejectConflicts() {
    assertThatThrownBy(() -> blocking.update(Employee.JONES.key(), jones -> jones))
        .isInstanceOf(NotFound.class);
    blocking.insert(Employee.JONES);
    assertThatThrownBy(() -> blocking.insert(Employee.JONES)).isInstanceOf(AlreadyExists.class);
    assertThatThrownBy(
            () -> blocking.update(Employee.JONES.key(), jones -> jones.withDepartment("IT")))
        .isInstanceOf(IllegalArgumentException.class);
    blocking.delete(Employee.JONES.key());
    blocking.insert(Employee.JONES.withSalary(2));
    assertThat(blocking.find(Employee.JONES.key())).contains(Employee.JONES.withSalary(2));
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void deletingAMissingEntityIsOneRequest() {
    assertThat(client.count(() -> blocking.delete(Employee.JONES.key()))).isEqualTo(1);
    assertThat(Work.messages(client.queue(work.queue()))).isZero();
  }

  @Test
  void anUpdateWhoseResponseWasLostIsNotMadeTwice() {
    blocking.insert(Employee.JONES);
    AtomicBoolean lost = new AtomicBoolean();
    HttpPipelinePolicy losesTheFirstAnswer =
        (context, next) ->
            context.getHttpRequest().getHttpMethod() == HttpMethod.PUT && !lost.getAndSet(true)
                ? next.process().then(Mono.error(new IOException("lost")))
                : next.process();
    AsyncPrimaryTable<Employee> unlucky =
        AsyncPrimaryTable.of(
            "employee",
            AsyncTable.of(
                ACCOUNT.tables(losesTheFirstAnswer).getTableClient(table), Employee.class),
            work.outbox(client));
    unlucky.update(Employee.JONES.key(), jones -> jones.withSalary(jones.salary() + 1)).block();
    assertThat(lost).isTrue();
    assertThat(blocking.find(Employee.JONES.key())).contains(Employee.JONES.withSalary(2));
  }

  @Test
  void updatesOfSeveralClientsAreAllMade() {
    blocking.insert(Employee.JONES);
    Flux.range(0, 8)
        .flatMap(
            number ->
                employees.update(
                    Employee.JONES.key(), jones -> jones.withSalary(jones.salary() + 1)))
        .blockLast();
    assertThat(blocking.find(Employee.JONES.key())).contains(Employee.JONES.withSalary(9));
  }

  @Test
  void dynamicEntitiesAreReadWithoutThePropertiesOfThisLibrary() {
    AsyncPrimaryTable<TableEntity> dynamic =
        AsyncPrimaryTable.of(
            "dynamic",
            AsyncTable.of(client.table(table), EntityCodec.dynamic()),
            work.outbox(client));
    TableEntity entity = new TableEntity("p", "r").addProperty("Some", 1L);
    dynamic.insert(entity).block();
    TableEntity found = dynamic.find(new EntityKey("p", "r")).blockOptional().orElseThrow();
    assertThat(found.getProperty("Some")).isEqualTo(1L);
    assertThat(found.getETag()).isNotEmpty();
    assertThat(found.getProperties().keySet()).noneMatch(name -> name.startsWith("Lazuli"));
    assertThat(entity.getProperties()).doesNotContainKey("LazuliVersion");
  }
}
