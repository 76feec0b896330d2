package io.lazuli.client.pattern.wide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.NotRehearsed;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.fault.Faults;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.AlreadyExists;
import io.lazuli.client.table.NotFound;
import io.lazuli.client.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class WideTableTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private static final EntityKey KEY = new EntityKey("Sales", "year");

  private final TestClient client = TestClient.of(ACCOUNT);
  private final String name = client.newTable();
  private final WideTable<TableEntity> wide = wide(client, name);

  @Test
  void aValueForEachDayOfTheYear() {
    // snippet
    TableEntity sales = new TableEntity("Sales", "2026");
    for (int day = 1; day <= 365; day++) {
      sales.addProperty("Day" + day, 100L * day);
    }
    WideTable<TableEntity> wide = WideTable.of(client.table(name), EntityCodec.dynamic());
    wide.insert(sales);
    wide.merge(new EntityKey("Sales", "2026"), Map.of("Day365", 7L));
    // end
    TableEntity found = wide.find(new EntityKey("Sales", "2026")).orElseThrow();
    assertThat(found.getProperty("Day364")).isEqualTo(36_400L);
    assertThat(found.getProperty("Day365")).isEqualTo(7L);
    assertThat(found.getETag()).isNotNull();
    assertThat(rows()).containsExactly("2026~00", "2026~01");
  }

  @Test
  void anyWidthRoundTrips() {
    for (int width : new int[] {0, 1, 250, 251, 500, 501, 3}) {
      wide.upsertReplace(entity(width, width));
      assertWritten(wide, width, width);
      assertThat(rows()).hasSize(Math.max(1, (width + 249) / 250));
    }
    assertThat(wide.deleteIfExists(KEY)).isTrue();
    assertThat(wide.deleteIfExists(KEY)).isFalse();
    assertThat(wide.find(KEY)).isEmpty();
    assertThat(rows()).isEmpty();
  }

  @Test
  void valuesTooLargeForOneEntityRoundTrip() {
    TableEntity large = new TableEntity(KEY.partitionKey(), KEY.rowKey());
    for (int i = 0; i < 40; i++) {
      large.addProperty("Text" + i, "x".repeat(30_000) + i);
      large.addProperty("Binary" + i, new byte[30_000]);
    }
    wide.insert(large);
    assertThat(rows()).hasSizeBetween(4, 5);
    TableEntity found = wide.find(KEY).orElseThrow();
    assertThat(found.getProperty("Text39")).isEqualTo("x".repeat(30_000) + 39);
    assertThat((byte[]) found.getProperty("Binary39")).hasSize(30_000);
  }

  @Test
  void valuesTooLargeForATransactionAreRejectedWithAdvice() {
    assertThatThrownBy(() -> wide.insert(entity(25_001, 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("101 parts")
        .hasMessageContaining("pattern.large, P11");
    TableEntity large = new TableEntity(KEY.partitionKey(), KEY.rowKey());
    for (int i = 0; i < 140; i++) {
      large.addProperty("Text" + i, "x".repeat(30_000));
    }
    assertThatThrownBy(() -> wide.upsertReplace(large))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("P11");
    assertThat(rows()).isEmpty();
  }

  @Test
  void aHundredPartsAreAccepted() {
    wide.insert(entity(25_000, 3));
    assertThat(rows()).hasSize(100);
    assertWritten(wide, 25_000, 3);
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void operationsSendTheDocumentedNumberOfRequests() {
    assertThat(client.count(() -> wide.insert(entity(600, 1)))).isEqualTo(1);
    assertThat(client.count(() -> wide.find(KEY))).isEqualTo(1);
    assertThat(client.count(() -> wide.upsertReplace(entity(300, 2)))).isEqualTo(2);
    assertThat(client.count(() -> wide.update(KEY, old -> entity(400, 3)))).isEqualTo(2);
    assertThat(client.count(() -> wide.merge(KEY, Map.of("P0", 9)))).isEqualTo(2);
    assertThat(client.count(() -> wide.deleteIfExists(KEY))).isEqualTo(2);
  }

  @Test
  void aMergeWritesOnlyThePartItConcerns() {
    wide.insert(entity(600, 1));
    List<String> before = eTags();
    wide.merge(KEY, Map.of("P300", 9));
    List<String> after = eTags();
    assertThat(after).hasSize(3);
    after.removeAll(before);
    assertThat(after).hasSize(1);
    wide.merge(KEY, Map.of("P0", 8, "P599", 8));
    TableEntity found = wide.find(KEY).orElseThrow();
    assertThat(List.of(found.getProperty("P300"), found.getProperty("P0"))).containsExactly(9, 8);
    assertThat(found.getProperty("P302")).isEqualTo(1);
  }

  @Test
  void missingAndExistingEntitiesAreReported() {
    assertThatThrownBy(() -> wide.merge(KEY, Map.of("P0", 1))).isInstanceOf(NotFound.class);
    assertThatThrownBy(() -> wide.update(KEY, old -> old)).isInstanceOf(NotFound.class);
    wide.insert(entity(300, 1));
    assertThatThrownBy(() -> wide.insert(entity(2, 1))).isInstanceOf(AlreadyExists.class);
    assertThatThrownBy(() -> wide.merge(KEY, Map.of("New", 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("New");
    assertThatThrownBy(() -> wide.update(KEY, old -> new TableEntity("Sales", "other")))
        .isInstanceOf(IllegalArgumentException.class);
    assertWritten(wide, 300, 1);
  }

  @Test
  void anEntityWhoseKeyLooksLikeAPartIsSeparate() {
    wide.insert(entity(300, 1));
    TableEntity other = new TableEntity("Sales", "year~00").addProperty("P0", 5);
    wide.insert(other);
    assertWritten(wide, 300, 1);
    assertThat(wide.find(new EntityKey("Sales", "year~00")).orElseThrow().getProperty("P0"))
        .isEqualTo(5);
    wide.deleteIfExists(KEY);
    assertThat(rows()).containsExactly("year~00~00");
  }

  @Test
  void aWriteThatIsStoppedAnywhereLeavesTheOldOrTheNew() {
    int requests =
        Faults.in(ACCOUNT, maker -> written(maker, 600, 1))
            .forEveryCut(
                (table, mortal) -> wide(mortal, table).upsertReplace(entity(300, 2)),
                (table, live) -> {},
                (table, live) -> assertOneOf(live, table, 600, 1, 300, 2));
    assertThat(requests).isEqualTo(2);
    Faults.in(ACCOUNT, maker -> written(maker, 300, 1))
        .forEveryCut(
            (table, mortal) -> wide(mortal, table).update(KEY, old -> entity(600, 2)),
            (table, live) -> {},
            (table, live) -> assertOneOf(live, table, 300, 1, 600, 2));
  }

  @Test
  void aDeleteThatIsStoppedAnywhereCanBeRepeated() {
    Faults.in(ACCOUNT, maker -> written(maker, 600, 1))
        .forEveryCut(
            (table, mortal) -> wide(mortal, table).deleteIfExists(KEY),
            (table, live) -> wide(live, table).deleteIfExists(KEY),
            (table, live) -> assertThat(rows(live, table)).isEmpty());
  }

  /** Each write sets all properties to one value, and has its own width. */
  @Test
  void readersNeverSeeAMixOfWrites() {
    wide.insert(entity(300, 300));
    AtomicBoolean done = new AtomicBoolean();
    Mono<Void> writers =
        Flux.range(0, 24)
            .flatMap(
                i ->
                    i % 2 == 0
                        ? wide.async().upsertReplace(entity(240 + 30 * i, 240 + 30 * i))
                        : wide.async()
                            .update(KEY, old -> entity(240 + 30 * i, 240 + 30 * i))
                            .then(),
                3)
            .then()
            .doFinally(signal -> done.set(true));
    Mono<Long> readers =
        wide.async()
            .find(KEY)
            .doOnNext(WideTableTest::assertOneWrite)
            .repeat(() -> !done.get())
            .count();
    assertThat(Mono.zip(writers.thenReturn(1), readers).block().getT2()).isPositive();
    assertOneWrite(wide.find(KEY).orElseThrow());
  }

  /** Each segment has one row, and the whole entity is written between any two segments. */
  @Test
  void aReaderRestartsIfTheEntityIsWrittenBetweenItsSegments() {
    wide.insert(entity(600, 600));
    AtomicInteger requests = new AtomicInteger();
    HttpPipelinePolicy writing =
        (context, next) -> {
          int request = requests.incrementAndGet();
          return request == 2 || request == 3
              ? wide.async()
                  .upsertReplace(entity(600 - request, 600 - request))
                  .then(next.process())
              : next.process();
        };
    HttpPipelinePolicy oneRow =
        (context, next) -> {
          String url = context.getHttpRequest().getUrl().toString();
          context.getHttpRequest().setUrl(url + "&$top=1");
          return next.process();
        };
    WideTable<TableEntity> reader =
        WideTable.of(ACCOUNT.tables(oneRow, writing).getTableClient(name), EntityCodec.dynamic());
    assertOneWrite(reader.find(KEY).orElseThrow());
    assertThat(requests.get()).as("it read again").isGreaterThan(3);
  }

  @Test
  void concurrentUpdatesLoseNothing() {
    wide.insert(entity(300, 0));
    Flux.range(0, 20)
        .flatMap(
            i ->
                i % 2 == 0
                    ? wide.async().update(KEY, old -> incremented(old, "P0")).then()
                    : mergeIncremented("P299"),
            4)
        .blockLast();
    TableEntity found = wide.find(KEY).orElseThrow();
    assertThat(found.getProperty("P0")).isEqualTo(10);
    assertThat(found.getProperty("P299")).as("set to 7 by merges").isEqualTo(7);
  }

  @Test
  void inconsistentPartsAreReportedAndCanBeReplaced() {
    wide.insert(entity(300, 1));
    client.table(name).deleteEntity("Sales", "year~01").block();
    assertThatThrownBy(() -> wide.find(KEY))
        .isInstanceOfSatisfying(TornRead.class, torn -> assertThat(torn.key()).isEqualTo(KEY));
    wide.upsertReplace(entity(600, 2));
    assertWritten(wide, 600, 2);
    client.table(name).deleteEntity("Sales", "year~00").block();
    client.table(name).deleteEntity("Sales", "year~01").block();
    wide.upsertReplace(entity(300, 3));
    assertWritten(wide, 300, 3);
    assertThat(rows()).hasSize(2);
  }

  private Mono<Void> mergeIncremented(String property) {
    return wide.async().merge(KEY, Map.of(property, 7));
  }

  private static TableEntity incremented(TableEntity entity, String property) {
    return entity.addProperty(property, (Integer) entity.getProperty(property) + 1);
  }

  private static void assertOneOf(
      TestClient client, String table, int width, int value, int otherWidth, int otherValue) {
    Optional<TableEntity> found = wide(client, table).find(KEY);
    Object first = found.orElseThrow().getProperty("P0");
    boolean isOld = Integer.valueOf(value).equals(first);
    assertWritten(wide(client, table), isOld ? width : otherWidth, isOld ? value : otherValue);
    assertThat(rows(client, table)).hasSize(((isOld ? width : otherWidth) + 249) / 250);
  }

  /** Checks that all properties have the same value, which is their number. */
  private static void assertOneWrite(TableEntity entity) {
    List<Object> values = values(entity);
    assertThat(values).hasSize((Integer) values.get(0)).containsOnly(values.get(0));
  }

  private static void assertWritten(WideTable<TableEntity> wide, int width, int value) {
    List<Object> values = values(wide.find(KEY).orElseThrow());
    assertThat(values).hasSize(width).allMatch(Integer.valueOf(value)::equals);
  }

  private static List<Object> values(TableEntity entity) {
    return entity.getProperties().entrySet().stream()
        .filter(property -> property.getKey().matches("P[0-9]+"))
        .map(Map.Entry::getValue)
        .toList();
  }

  private static String written(TestClient maker, int width, int value) {
    String table = maker.newTable();
    wide(maker, table).insert(entity(width, value));
    return table;
  }

  private static WideTable<TableEntity> wide(TestClient client, String table) {
    return WideTable.of(client.table(table), EntityCodec.dynamic());
  }

  private static TableEntity entity(int width, int value) {
    TableEntity entity = new TableEntity(KEY.partitionKey(), KEY.rowKey());
    IntStream.range(0, width).forEach(i -> entity.addProperty("P" + i, value));
    return entity;
  }

  private List<String> rows() {
    return rows(client, name);
  }

  private static List<String> rows(TestClient client, String table) {
    return Table.of(client.table(table), EntityCodec.dynamic())
        .query(Query.all())
        .map(TableEntity::getRowKey)
        .toList();
  }

  private List<String> eTags() {
    return new ArrayList<>(
        client.table(name).listEntities().map(TableEntity::getETag).toStream().toList());
  }
}
