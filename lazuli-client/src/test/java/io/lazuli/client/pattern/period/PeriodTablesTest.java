package io.lazuli.client.pattern.period;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.data.tables.TableServiceAsyncClient;
import com.azure.data.tables.models.TableItem;
import com.azure.data.tables.models.TableServiceError;
import com.azure.data.tables.models.TableServiceException;
import io.lazuli.client.NotRehearsed;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.fault.Cut;
import io.lazuli.client.fault.Faults;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.query.Query;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class PeriodTablesTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private static final Instant NOON = Instant.parse("2026-07-31T12:00:00Z");

  record Login(@PartitionKey String user, @RowKey String id, Instant time) {}

  private final TestClient client = TestClient.of(ACCOUNT);
  private final String name = TestAccount.uniqueName("logins") + "L";
  private final PeriodTables<Login> logins = logins(name, client.tables());

  @Test
  void aPeriodIsNamedInUtc() {
    Instant time = Instant.parse("2026-12-31T23:59:59.999Z");
    assertThat(Period.HOUR.name(time)).isEqualTo("2026123123");
    assertThat(Period.DAY.name(time)).isEqualTo("20261231");
    assertThat(Period.MONTH.name(time)).isEqualTo("202612");
    assertThat(Period.DAY.name(time.plusMillis(1))).isEqualTo("20270101");
    assertThatThrownBy(() -> Period.DAY.name(Instant.parse("+10000-01-01T00:00:00Z")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void entitiesGoToTheTableOfTheirDayAndAreReadInOrder() {
    IntStream.of(3, 0, 1).forEach(day -> logins.insert(login(day)));
    assertThat(tables())
        .extracting(table -> table.substring(0, name.length() + 8))
        .containsExactly(name + "20260731", name + "20260801", name + "20260803");
    assertThat(logins.query(Query.all(), NOON, day(9)))
        .containsExactly(login(0), login(1), login(3));
    assertThat(logins.query(Query.all(), day(1), day(2))).containsExactly(login(1));
    assertThat(logins.query(Query.all().top(2), NOON, day(9))).containsExactly(login(0), login(1));
    assertThat(logins.find(day(1), new EntityKey("jo", "1"))).contains(login(1));
    assertThat(logins.find(day(2), new EntityKey("jo", "1"))).isEmpty();
    assertThat(logins(name, client.tables()).find(day(1), new EntityKey("jo", "1")))
        .contains(login(1));
  }

  @Test
  void unusedPeriodsHaveNoEntities() {
    assertThat(logins.query(Query.all(), NOON, day(9))).isEmpty();
    assertThat(logins.find(NOON, new EntityKey("jo", "1"))).isEmpty();
    assertThat(tables()).isEmpty();
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void aQueryReadsTablesLazily() {
    IntStream.range(0, 4).forEach(day -> logins.insert(login(day)));
    int requests =
        client.count(() -> logins.query(Query.all().top(1), NOON, day(9)).forEach(login -> {}));
    assertThat(requests).isEqualTo(2);
    assertThat(client.count(() -> logins.query(Query.all(), NOON, day(9)).forEach(login -> {})))
        .isEqualTo(1 + 4);
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void aWriteIsOneRequestOnceTheTableIsKnown() {
    assertThat(client.count(() -> logins.insert(login(0))))
        .as("control table, mark, and the period")
        .isEqualTo(7);
    assertThat(client.count(() -> logins.upsertReplace(login(0)))).isEqualTo(1);
    assertThat(client.count(() -> logins.insert(login(1)))).as("a new period").isEqualTo(4);
    PeriodTables<Login> another = logins(name, client.tables());
    assertThat(client.count(() -> another.upsertReplace(login(1))))
        .as("one that another process opened")
        .isEqualTo(2);
    assertThat(client.count(() -> logins.dropBefore(day(2)))).as("two periods").isEqualTo(4 + 4);
  }

  @Test
  void droppedPeriodsAreDeletedAndTheirEntitiesRejected() {
    IntStream.range(0, 4).forEach(day -> logins.insert(login(day)));
    PeriodTables<Login> another = logins(name, client.tables());
    another.upsertReplace(login(1));
    // snippet
    Instant now = Instant.parse("2026-08-02T15:00:00Z");
    long dropped = logins.dropBefore(now.minus(Duration.ofDays(1)));
    // end
    assertThat(dropped).isEqualTo(1);
    assertThat(logins.dropBefore(day(2))).isEqualTo(1);
    for (PeriodTables<Login> each : List.of(logins, another, logins(name, client.tables()))) {
      assertThatThrownBy(() -> each.upsertReplace(login(1)))
          .isInstanceOfSatisfying(
              PeriodDropped.class,
              late -> {
                assertThat(late.period()).isEqualTo("20260801");
                assertThat(late.firstKept()).isEqualTo("20260802");
              });
      assertThat(each.find(day(1), new EntityKey("jo", "1"))).isEmpty();
      assertThat(each.query(Query.all(), NOON, day(9))).containsExactly(login(2), login(3));
    }
    assertThat(logins.dropBefore(day(0))).as("the mark does not go back").isZero();
    assertThatThrownBy(() -> logins.insert(login(1))).isInstanceOf(PeriodDropped.class);
    assertThatThrownBy(() -> logins.insert(login(0))).isInstanceOf(PeriodDropped.class);
    assertThat(tables()).hasSize(2);
  }

  @Test
  void aPeriodWithoutATableIsDroppedToo() {
    assertThat(logins.dropBefore(day(2))).isZero();
    assertThatThrownBy(() -> logins.insert(login(1))).isInstanceOf(PeriodDropped.class);
    logins.insert(login(2));
    assertThat(tables()).hasSize(1);
  }

  @Test
  void concurrentCreatorsUseOneTable() {
    List<Login> events =
        IntStream.range(0, 12).mapToObj(i -> new Login("jo", "e" + i, NOON)).toList();
    Flux.fromIterable(events)
        .flatMap(event -> logins(name, client.tables()).async().insert(event), 12)
        .blockLast();
    assertThat(logins.query(Query.all(), NOON, NOON)).hasSameElementsAs(events);
    assertThat(tables()).hasSize(1);
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void threadsOfOneProcessOpenAPeriodOnce() {
    logins.insert(login(5));
    int requests =
        client.count(
            () ->
                Flux.range(0, 10)
                    .flatMap(i -> logins.async().insert(new Login("jo", "e" + i, NOON)), 10)
                    .blockLast());
    assertThat(requests).isEqualTo(3 + 10);
  }

  @Test
  void anInsertThatIsStoppedAnywhereCanBeRepeated() {
    int requests =
        Faults.in(ACCOUNT, maker -> TestAccount.uniqueName("logins") + "L")
            .forEveryCut(
                (family, mortal) -> logins(family, mortal.tables()).upsertReplace(login(0)),
                (family, live) -> logins(family, live.tables()).upsertReplace(login(0)),
                (family, live) -> {
                  PeriodTables<Login> fresh = logins(family, live.tables());
                  assertThat(fresh.query(Query.all(), NOON, NOON)).containsExactly(login(0));
                  fresh.dropBefore(day(1));
                  assertThat(tables(family)).as("unused tables are deleted too").isEmpty();
                });
    assertThat(requests).isEqualTo(7);
  }

  @Test
  void aDropThatIsStoppedAnywhereCanBeRepeated() {
    int requests =
        Faults.in(ACCOUNT, PeriodTablesTest::threeDays)
            .forEveryCut(
                (family, mortal) -> logins(family, mortal.tables()).dropBefore(day(2)),
                (family, live) -> logins(family, live.tables()).dropBefore(day(2)),
                (family, live) -> {
                  PeriodTables<Login> fresh = logins(family, live.tables());
                  assertThatThrownBy(() -> fresh.upsertReplace(login(1)))
                      .isInstanceOf(PeriodDropped.class);
                  assertThat(fresh.query(Query.all(), NOON, day(9))).containsExactly(login(2));
                  assertThat(tables(family)).hasSize(1);
                });
    assertThat(requests).isEqualTo(4 + 2 * 2);
  }

  @Test
  void anInterruptedDropAlreadyRejectsEntities() {
    String family = threeDays(client);
    TestClient mortal = TestClient.of(ACCOUNT, Cut.after(2));
    assertThatThrownBy(() -> logins(family, mortal.tables()).dropBefore(day(2)));
    assertThatThrownBy(() -> logins(family, client.tables()).upsertReplace(login(1)))
        .isInstanceOf(PeriodDropped.class);
  }

  /** Tests the race that the package documentation describes, at every request of the writer. */
  @Test
  void aDropBetweenAnyTwoRequestsOfAWriterLeavesNothing() {
    IntStream.rangeClosed(1, 7).forEach(PeriodTablesTest::dropAtRequest);
  }

  private static void dropAtRequest(int at) {
    TestClient client = TestClient.of(ACCOUNT);
    String family = TestAccount.uniqueName("logins") + "L";
    AtomicInteger count = new AtomicInteger();
    Mono<Long> drop = Mono.defer(() -> logins(family, client.tables()).async().dropBefore(day(1)));
    HttpPipelinePolicy dropping =
        (context, next) ->
            count.incrementAndGet() == at ? drop.then(next.process()) : next.process();
    assertThatThrownBy(() -> logins(family, ACCOUNT.tables(dropping)).upsertReplace(login(0)))
        .as("drop before request %d", at)
        .isInstanceOf(PeriodDropped.class);
    assertThat(tables(family)).as("drop before request %d", at).isEmpty();
    assertThat(count.get()).isGreaterThanOrEqualTo(at);
  }

  @Test
  void aTableThatIsBeingDeletedCountsAsMissing() {
    for (String code : List.of("TableBeingDeleted", "TableNotFound")) {
      TableServiceException rejected =
          new TableServiceException(code, null, new TableServiceError(code, ""));
      assertThat(MissingTable.isCauseOf(rejected)).isTrue();
      assertThat(MissingTable.isCauseOf(new IllegalStateException(rejected))).isTrue();
    }
    assertThat(
            MissingTable.isCauseOf(
                new TableServiceException("", null, new TableServiceError("ResourceNotFound", ""))))
        .isFalse();
    assertThat(MissingTable.isCauseOf(new IllegalStateException())).isFalse();
  }

  @Test
  void ambiguousNamesAreRejected() {
    for (String bad : List.of("", "Logins2", "2Logins", "Log-ins", "L".repeat(45))) {
      assertThatThrownBy(() -> logins(bad, client.tables()))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  private static String threeDays(TestClient maker) {
    String family = TestAccount.uniqueName("logins") + "L";
    PeriodTables<Login> logins = logins(family, maker.tables());
    IntStream.range(0, 3).forEach(day -> logins.upsertReplace(login(day)));
    return family;
  }

  private static PeriodTables<Login> logins(String name, TableServiceAsyncClient service) {
    // snippet
    PeriodTables<Login> logins =
        PeriodTables.of(service, name, Period.DAY, Login.class, Login::time);
    // end
    return logins;
  }

  private static Login login(int day) {
    return new Login("jo", String.format(Locale.ROOT, "%d", day), day(day));
  }

  private static Instant day(int day) {
    return NOON.plus(Duration.ofDays(day));
  }

  private List<String> tables() {
    return tables(name);
  }

  private static List<String> tables(String family) {
    Stream<String> names = ACCOUNT.tables().listTables().map(TableItem::getName).toStream();
    return names.filter(each -> each.startsWith(family + "2")).toList();
  }
}
