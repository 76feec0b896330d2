package io.lazuli.server.table.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.lazuli.server.access.Caller;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.Futures;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.table.encoding.EntityCodec;
import io.lazuli.server.table.model.EdmValue.Int32Value;
import io.lazuli.server.table.model.EdmValue.StringValue;
import io.lazuli.server.table.model.EntityKey;
import io.lazuli.server.table.model.IfMatch;
import io.lazuli.server.table.model.Property;
import io.lazuli.server.table.model.TableErrors;
import io.lazuli.server.table.model.TableName;
import io.lazuli.server.table.protocol.ODataFilterParser;
import io.lazuli.server.table.query.Filter;
import io.lazuli.server.table.service.EntityWrite.Delete;
import io.lazuli.server.table.service.EntityWrite.Insert;
import io.lazuli.server.table.service.EntityWrite.Merge;
import io.lazuli.server.table.service.EntityWrite.Replace;
import io.lazuli.server.table.service.TableOperation.CreateTable;
import io.lazuli.server.table.service.TableOperation.DeleteTable;
import io.lazuli.server.table.service.TableOperation.FindEntity;
import io.lazuli.server.table.service.TableOperation.FindTable;
import io.lazuli.server.table.service.TableOperation.QueryEntities;
import io.lazuli.server.table.service.TableOperation.QueryTables;
import io.lazuli.server.table.service.TableOperation.WriteEntities;
import io.lazuli.server.table.service.TableOutcome.EntityFound;
import io.lazuli.server.table.service.TableOutcome.EntityPage;
import io.lazuli.server.table.service.TableOutcome.NextKey;
import io.lazuli.server.table.service.TableOutcome.Refused;
import io.lazuli.server.table.service.TableOutcome.TableFound;
import io.lazuli.server.table.service.TableOutcome.TablePage;
import io.lazuli.server.table.service.TableOutcome.Written;
import io.lazuli.server.throttle.RateTargets;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.faults.RemoteEngine;
import io.lazuli.storage.memory.InMemoryEngineProvider;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableServiceTest {
  static final PartitionRates NO_RATES = rates(0, System::nanoTime);

  private static final TableName TABLE = new TableName("People");
  private static final EntityKey KEY = new EntityKey("Sales", "1");

  private final StorageEngine engine =
      new InMemoryEngineProvider().open(EngineConfig.of(Path.of("unused")));
  private final Catalog catalog = new Catalog(engine);
  private final TableService service = service(catalog);

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void namesOfTablesIgnoreCaseAndKeepTheirOwn() {
    run(new CreateTable(TABLE));
    refused(TableErrors.TABLE_ALREADY_EXISTS, () -> run(new CreateTable(new TableName("PEOPLE"))));
    run(new WriteEntities(new TableName("people"), List.of(new Insert(KEY, List.of()))));
    TablePage page = (TablePage) run(new QueryTables(Filter.ALL, 1000, ""));
    assertThat(page.names()).containsExactly("People");
    run(new DeleteTable(new TableName("pEOPLE")));
    refused(CommonErrors.RESOURCE_NOT_FOUND, () -> run(new DeleteTable(TABLE)));
  }

  @Test
  void tablesAreListedByPage() {
    for (String name : List.of("ccc", "Aaa", "bbb", "Ddd")) {
      run(new CreateTable(new TableName(name)));
    }
    TablePage first = (TablePage) run(new QueryTables(Filter.ALL, 3, ""));
    assertThat(first.names()).containsExactly("Aaa", "bbb", "ccc");
    TablePage second = (TablePage) run(new QueryTables(Filter.ALL, 3, first.next()));
    assertThat(second.names()).containsExactly("Ddd");
    assertThat(second.next()).isNull();
  }

  @Test
  void aMissingTableIsNotFound() {
    refused(TableErrors.TABLE_NOT_FOUND, () -> write(new Insert(KEY, List.of())));
    refused(TableErrors.TABLE_NOT_FOUND, () -> run(new FindEntity(TABLE, KEY, Filter.ALL)));
    refused(TableErrors.TABLE_NOT_FOUND, () -> query("", 10, null));
  }

  @Test
  void aTableMadeAnewIsEmptyAlsoThroughACacheThatKnewTheOldOne() {
    run(new CreateTable(TABLE));
    write(new Insert(KEY, List.of()));
    TableService other = service(new Catalog(engine));
    assertThat(execute(other, new FindEntity(TABLE, KEY, Filter.ALL)))
        .isInstanceOf(EntityFound.class);
    run(new DeleteTable(TABLE));
    refused(
        TableErrors.TABLE_NOT_FOUND,
        () -> execute(other, new WriteEntities(TABLE, List.of(new Insert(KEY, List.of())))));
    run(new CreateTable(TABLE));
    refused(
        CommonErrors.RESOURCE_NOT_FOUND,
        () -> execute(other, new FindEntity(TABLE, KEY, Filter.ALL)));
    assertThat(execute(other, new WriteEntities(TABLE, List.of(new Insert(KEY, List.of())))))
        .isInstanceOf(Written.class);
    run(new DeleteTable(TABLE));
    refused(TableErrors.TABLE_NOT_FOUND, () -> execute(other, all()));
  }

  @Test
  void aTableThatAnotherServerDeletedIsNotFoundByName() {
    run(new CreateTable(TABLE));
    TableService other = service(new Catalog(engine));
    execute(other, new WriteEntities(TABLE, List.of(new Insert(KEY, List.of()))));
    assertThat(execute(other, new FindTable(TABLE))).isEqualTo(new TableFound("People"));
    run(new DeleteTable(TABLE));
    refused(CommonErrors.RESOURCE_NOT_FOUND, () -> execute(other, new FindTable(TABLE)));
  }

  /**
   * table-rest 6.10: four rows, each on a missing and on an existing entity, and with a stale tag.
   */
  @Test
  void theUpsertMatrix() {
    run(new CreateTable(TABLE));
    IfMatch stale = IfMatch.timestamp(1);
    for (IfMatch condition : List.of(IfMatch.ANY, stale)) {
      notWritten(CommonErrors.RESOURCE_NOT_FOUND, new Replace(KEY, number(1), condition));
      notWritten(CommonErrors.RESOURCE_NOT_FOUND, new Merge(KEY, number(1), condition));
      notWritten(CommonErrors.RESOURCE_NOT_FOUND, new Delete(KEY, condition));
    }
    written(new Merge(KEY, number(1), IfMatch.NONE));
    notWritten(TableErrors.ENTITY_ALREADY_EXISTS, new Insert(KEY, number(2)));
    for (EntityWrite write :
        List.of(
            new Replace(KEY, number(2), stale),
            new Merge(KEY, number(2), stale),
            new Delete(KEY, stale))) {
      notWritten(TableErrors.UPDATE_CONDITION_NOT_SATISFIED, write);
    }
    written(new Merge(KEY, text("x"), IfMatch.ANY));
    assertThat(properties()).containsExactlyElementsOf(both(1, "x"));
    long tag = written(new Merge(KEY, number(5), IfMatch.NONE));
    assertThat(properties()).containsExactlyElementsOf(both(5, "x"));
    written(new Replace(KEY, number(7), IfMatch.timestamp(tag)));
    assertThat(properties()).containsExactlyElementsOf(number(7));
    written(new Replace(KEY, text("y"), IfMatch.NONE));
    assertThat(properties()).containsExactlyElementsOf(text("y"));
    write(new Delete(KEY, IfMatch.ANY));
    refused(CommonErrors.RESOURCE_NOT_FOUND, this::properties);
  }

  @Test
  void limitsHoldForWhatAMergeMakes() {
    run(new CreateTable(TABLE));
    written(new Insert(KEY, numbered("a", 200)));
    notWritten(TableErrors.TOO_MANY_PROPERTIES, new Merge(KEY, numbered("b", 53), IfMatch.ANY));
    written(new Merge(KEY, numbered("b", 52), IfMatch.ANY));
    EntityKey large = new EntityKey("Sales", "large");
    written(new Insert(large, texts("a", 9)));
    notWritten(TableErrors.ENTITY_TOO_LARGE, new Merge(large, texts("b", 8), IfMatch.ANY));
    written(new Merge(large, texts("b", 6), IfMatch.ANY));
  }

  @Test
  void anEntityIsTooLargeBeforeItsValuesAre() {
    run(new CreateTable(TABLE));
    notWritten(TableErrors.PROPERTY_VALUE_TOO_LARGE, new Insert(KEY, text("x".repeat(32_769))));
    notWritten(TableErrors.PROPERTY_VALUE_TOO_LARGE, new Insert(KEY, text("x".repeat(500_000))));
    notWritten(TableErrors.ENTITY_TOO_LARGE, new Insert(KEY, text("x".repeat(600_000))));
  }

  @Test
  void aTransactionIsAllOrNothingAndNamesTheWriteThatFailed() {
    run(new CreateTable(TABLE));
    EntityKey second = new EntityKey("Sales", "2");
    Refused refused =
        (Refused)
            run(
                new WriteEntities(
                    TABLE,
                    List.of(
                        new Insert(KEY, number(1)), new Replace(second, number(1), IfMatch.ANY))));
    assertThat(refused.index()).isEqualTo(1);
    assertThat(refused.atCommit()).isTrue();
    assertThat(refused.reason().error()).isEqualTo(CommonErrors.RESOURCE_NOT_FOUND);
    assertThat(query("", 10, null).entities()).isEmpty();
  }

  @Test
  void aTransactionStaysInOnePartitionWithEachEntityOnce() {
    run(new CreateTable(TABLE));
    Insert one = new Insert(KEY, List.of());
    groupRefused(TableErrors.INVALID_DUPLICATE_ROW, 1, List.of(one, one));
    Insert elsewhere = new Insert(new EntityKey("HR", "1"), List.of());
    groupRefused(TableErrors.DIFFERENT_PARTITIONS, 1, List.of(one, elsewhere));
    List<EntityWrite> many = new ArrayList<>();
    for (int i = 0; i < 101; i++) {
      many.add(new Insert(new EntityKey("Sales", "r" + i), List.of()));
    }
    groupRefused(TableErrors.TOO_MANY_OPERATIONS, 99, many);
    assertThat(run(new WriteEntities(TABLE, many.subList(0, 100)))).isInstanceOf(Written.class);
  }

  @Test
  void pagesFollowOneAnotherWithoutGapOrOverlap() {
    run(new CreateTable(TABLE));
    for (int i = 0; i < 25; i++) {
      write(new Insert(new EntityKey("P" + i % 3, String.format("%03d", i)), number(i % 2)));
    }
    List<String> keys = new ArrayList<>();
    NextKey next = null;
    do {
      EntityPage page = query("Number eq 1", 4, next);
      page.entities().forEach(entity -> keys.add(key(entity)));
      next = page.next();
    } while (next != null);
    assertThat(keys).hasSize(12).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void pagesOfARemoteEngineEndWhenTheirMemoryIsUsedUp() {
    run(new CreateTable(TABLE));
    run(inserts("p", 100, 110));
    StorageEngine remote = new RemoteEngine(engine);
    EntityQueries queries =
        new EntityQueries(
            remote,
            new Catalog(remote),
            NO_RATES,
            Runnable::run,
            Runnable::run,
            Duration.ofSeconds(5),
            1,
            null);
    TableService tight =
        new TableService(
            remote, new Catalog(remote), queries, NO_RATES, new DeletedTables(Duration.ZERO));
    List<String> keys = new ArrayList<>();
    NextKey next = null;
    do {
      EntityPage page = query(tight, "PartitionKey eq 'p'", 1000, next);
      assertThat(page.entities()).as("progress, but no more than one").hasSize(1);
      page.entities().forEach(entity -> keys.add(key(entity)));
      next = page.next();
    } while (next != null);
    assertThat(keys).hasSize(10).isSorted().doesNotHaveDuplicates();
    await().untilAsserted(() -> assertThat(queries.heldBytes()).isZero());
  }

  @Test
  void onlyLongPagesOfARemoteEngineChangeTheirThread() {
    run(new CreateTable(TABLE));
    write(new Insert(new EntityKey("short", "1"), text("x".repeat(20_000))));
    for (int i = 0; i < 4; i++) {
      write(new Insert(new EntityKey("long", "" + i), text("x".repeat(20_000))));
    }
    RemoteEngine remote = new RemoteEngine(engine);
    AtomicInteger changes = new AtomicInteger();
    Executor counting =
        task -> {
          changes.incrementAndGet();
          task.run();
        };
    EntityQueries queries =
        new EntityQueries(
            remote,
            new Catalog(remote),
            NO_RATES,
            Runnable::run,
            counting,
            Duration.ofSeconds(5),
            1 << 20,
            null);
    TableService service =
        new TableService(
            remote, new Catalog(remote), queries, NO_RATES, new DeletedTables(Duration.ZERO));
    assertThat(query(service, "PartitionKey eq 'short'", 10, null).entities()).hasSize(1);
    assertThat(changes).hasValue(0);
    // A scan that is complete at once stays on its thread, so the engine holds this one.
    remote.pause(Bytes.of("long".getBytes(UTF_8)));
    CompletableFuture<EntityPage> page =
        CompletableFuture.supplyAsync(() -> query(service, "PartitionKey eq 'long'", 10, null));
    await().until(() -> queries.waiting() == 1);
    remote.resume();
    assertThat(page.join().entities()).hasSize(4);
    assertThat(changes).hasValue(1);
    await().untilAsserted(() -> assertThat(queries.heldBytes()).isZero());
  }

  @Test
  void aTokenOutlivesTheEntityItNames() {
    run(new CreateTable(TABLE));
    for (int i = 0; i < 5; i++) {
      write(new Insert(new EntityKey("P", "r" + i), List.of()));
    }
    NextKey next = query("", 2, null).next();
    write(new Delete(new EntityKey("P", "r2"), IfMatch.ANY));
    assertThat(query("", 2, next).entities())
        .extracting(TableServiceTest::key)
        .containsExactly("P/r3", "P/r4");
  }

  @Test
  void theCostOfAQueryIsThatOfItsResult() {
    run(new CreateTable(TABLE));
    for (int i = 0; i < 300; i++) {
      write(new Insert(new EntityKey("P" + i % 3, String.format("%03d", i)), number(i)));
    }
    assertThat(query("PartitionKey eq 'P0' and RowKey eq '003'", 10, null).cost())
        .isEqualTo(new TableOutcome.QueryCost("point", 1));
    assertThat(
            query("PartitionKey eq 'P0' and RowKey ge '030' and RowKey lt '060'", 99, null).cost())
        .isEqualTo(new TableOutcome.QueryCost("range", 10));
    assertThat(query("RowKey eq '003' and RowKey eq '004'", 10, null).cost())
        .isEqualTo(new TableOutcome.QueryCost("none", 0));
    assertThat(query("PartitionKey eq 'P0' and Number eq 3", 1000, null).cost())
        .isEqualTo(new TableOutcome.QueryCost("partition scan", 100));
    assertThat(query("Number eq 3", 1000, null).cost())
        .isEqualTo(new TableOutcome.QueryCost("table scan", 300));
  }

  @Test
  void aPartitionPastItsTargetIsHeldBackAndNothingIsWritten() {
    run(new CreateTable(TABLE));
    TableService held = service(catalog, engine, rates(4, () -> 0));
    execute(held, inserts("Sales", 0, 3));
    refused(CommonErrors.SERVER_BUSY, () -> execute(held, inserts("Sales", 3, 5)));
    assertThat(query("PartitionKey eq 'Sales'", 10, null).entities()).hasSize(3);
    execute(held, inserts("Sales", 3, 4));
    refused(CommonErrors.SERVER_BUSY, () -> execute(held, new FindEntity(TABLE, KEY, Filter.ALL)));
    execute(held, inserts("Other", 0, 4));
  }

  @Test
  void aQueryOfOnePartitionCountsTheEntitiesItGaveBack() {
    run(new CreateTable(TABLE));
    run(inserts("Sales", 0, 8));
    long[] now = {0};
    TableService held = service(catalog, engine, rates(4, () -> now[0]));
    QueryEntities sales =
        new QueryEntities(TABLE, ODataFilterParser.parse("PartitionKey eq 'Sales'"), 10, null);
    execute(held, sales);
    now[0] += Duration.ofMillis(1_200).toNanos();
    refused(CommonErrors.SERVER_BUSY, () -> execute(held, sales));
    execute(held, new QueryEntities(TABLE, Filter.ALL, 10, null));
    now[0] += Duration.ofMillis(100).toNanos();
    execute(held, sales);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "PartitionKey eq 'p'", "Missing eq 1"})
  void aPageThatTakesTooLongEndsWithAContinuation(String filter) {
    run(new CreateTable(TABLE));
    run(inserts("p", 100, 200));
    run(inserts("p", 200, 250));
    TableService late = service(catalog, engine, NO_RATES, Duration.ZERO);
    List<Integer> read = new ArrayList<>();
    int given = 0;
    NextKey next = null;
    do {
      EntityPage page = query(late, filter, 1000, next);
      read.add((int) page.cost().entitiesRead());
      given += page.entities().size();
      next = page.next();
    } while (next != null);
    assertThat(read).containsExactly(64, 64, 22);
    assertThat(given).isEqualTo(filter.startsWith("Missing") ? 0 : 150);
  }

  private static WriteEntities inserts(String partition, int from, int to) {
    List<EntityWrite> writes = new ArrayList<>();
    for (int i = from; i < to; i++) {
      writes.add(new Insert(new EntityKey(partition, "" + i), List.of()));
    }
    return new WriteEntities(TABLE, writes);
  }

  private static PartitionRates rates(int perSecond, LongSupplier nanoTime) {
    return new PartitionRates(new RateTargets<>(perSecond, 10, CommonErrors.SERVER_BUSY, nanoTime));
  }

  private static TableService service(Catalog catalog, StorageEngine engine, PartitionRates rates) {
    return service(catalog, engine, rates, Duration.ofSeconds(5));
  }

  private static TableService service(
      Catalog catalog, StorageEngine engine, PartitionRates rates, Duration pageTime) {
    EntityQueries queries =
        new EntityQueries(
            engine, catalog, rates, Runnable::run, Runnable::run, pageTime, 1 << 20, null);
    return new TableService(engine, catalog, queries, rates, new DeletedTables(Duration.ZERO));
  }

  private static TableService service(Catalog catalog, StorageEngine engine) {
    return service(catalog, engine, NO_RATES);
  }

  private TableService service(Catalog of) {
    return service(of, engine);
  }

  private TableOutcome run(TableOperation operation) {
    return execute(service, operation);
  }

  private static TableOutcome execute(TableService on, TableOperation operation) {
    Caller caller = new Caller("acct", false);
    Deadline deadline = Deadline.after(Duration.ofSeconds(30));
    return Futures.await(on.execute(operation, caller, deadline));
  }

  private TableOutcome write(EntityWrite write) {
    return run(new WriteEntities(TABLE, List.of(write)));
  }

  private long written(EntityWrite write) {
    Written written = (Written) write(write);
    return EntityCodec.ticks(written.entities().get(0).record());
  }

  private void notWritten(ServiceError error, EntityWrite write) {
    assertThat(((Refused) write(write)).reason().error()).isEqualTo(error);
  }

  private void groupRefused(ServiceError error, int index, List<EntityWrite> writes) {
    Refused refused = (Refused) run(new WriteEntities(TABLE, writes));
    assertThat(refused.reason().error()).isEqualTo(error);
    assertThat(refused.index()).isEqualTo(index);
    assertThat(refused.atCommit()).isFalse();
    assertThat(query("", 10, null).entities()).isEmpty();
  }

  private EntityPage query(String filter, int top, NextKey from) {
    return query(service, filter, top, from);
  }

  private static EntityPage query(TableService on, String filter, int top, NextKey from) {
    EntityKey key = from == null ? null : new EntityKey(text(from.partition()), text(from.row()));
    Filter parsed = ODataFilterParser.parse(filter);
    return (EntityPage) execute(on, new QueryEntities(TABLE, parsed, top, key));
  }

  private static QueryEntities all() {
    return new QueryEntities(TABLE, Filter.ALL, 10, null);
  }

  private List<Property> properties() {
    EntityFound found = (EntityFound) run(new FindEntity(TABLE, KEY, Filter.ALL));
    return EntityCodec.properties(found.entity().record());
  }

  private static List<Property> number(int value) {
    return List.of(new Property("Number", new Int32Value(value)));
  }

  private static List<Property> text(String value) {
    return List.of(new Property("Text", new StringValue(value)));
  }

  private static List<Property> both(int number, String text) {
    return List.of(number(number).get(0), text(text).get(0));
  }

  private static List<Property> numbered(String prefix, int count) {
    List<Property> properties = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      properties.add(new Property(prefix + i, new Int32Value(i)));
    }
    return properties;
  }

  private static List<Property> texts(String prefix, int count) {
    List<Property> properties = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      properties.add(new Property(prefix + i, new StringValue("x".repeat(32_768))));
    }
    return properties;
  }

  private static String key(StoredEntity entity) {
    return text(entity.partition()) + "/" + text(entity.row());
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static void refused(ServiceError error, ThrowingCallable call) {
    ServiceException refusal = catchThrowableOfType(ServiceException.class, call);
    assertThat(refusal).isNotNull();
    assertThat(refusal.error()).isEqualTo(error);
  }
}
