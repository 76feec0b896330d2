package io.lazuli.server.table.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lazuli.server.access.Access;
import io.lazuli.server.access.Caller;
import io.lazuli.server.access.KeyLimits;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.Futures;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.table.encoding.Utf8;
import io.lazuli.server.table.model.EntityKey;
import io.lazuli.server.table.model.IfMatch;
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
import io.lazuli.server.table.service.TableOutcome.Written;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.contract.EngineFixture;
import io.lazuli.storage.memory.InMemoryEngineProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A caller with a shared access signature reaches what it grants, and nothing else by any way. */
class TableAccessTest {
  private static final TableName TABLE = new TableName("People");
  private static final IfMatch ANY = IfMatch.parse("*");
  private static final IfMatch NONE = IfMatch.parse(null);
  private static final Caller OWNER = new Caller("acct", false);

  /** The range of vector S1. */
  private static final KeyLimits RANGE = new KeyLimits("pkA", "rk1", "pkZ", "rk9");

  private static final List<EntityKey> INSIDE =
      List.of(
          key("pkA", "rk1"),
          key("pkA", "rk5"),
          key("pkB", ""),
          key("pkB", "zz"),
          key("pkZ", "rk9"));
  private static final List<EntityKey> OUTSIDE =
      List.of(
          key("", ""),
          key("pk0", "rk5"),
          key("pkA", "rk0"),
          key("pkZ", "rk9x"),
          key("pkZ\u0001", ""),
          key("pka", "rk5"));

  private final StorageEngine engine =
      new InMemoryEngineProvider().open(EngineConfig.of(Path.of("unused")));
  private final TableService service = service();

  @BeforeEach
  void fill() {
    run(OWNER, new CreateTable(TABLE));
    for (EntityKey key : both()) {
      run(OWNER, write(new Insert(key, List.of())));
    }
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void pointReadsSeeTheRangeOnly() {
    Caller caller = limited("raud", RANGE);
    for (EntityKey key : INSIDE) {
      assertThat(run(caller, new FindEntity(TABLE, key, Filter.ALL)))
          .isInstanceOf(EntityFound.class);
    }
    for (EntityKey key : OUTSIDE) {
      refused(CommonErrors.RESOURCE_NOT_FOUND, caller, new FindEntity(TABLE, key, Filter.ALL));
    }
  }

  /** Points, seeks, ranges, partition scans, table scans, negations, and a constant. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "PartitionKey eq 'pkA'",
        "PartitionKey eq 'pk0'",
        "PartitionKey eq 'pkA' and RowKey eq 'rk0'",
        "PartitionKey eq 'pkA' and RowKey eq 'rk1'",
        "PartitionKey eq 'pkA' and RowKey ge 'rk0' and RowKey lt 'rk5'",
        "PartitionKey eq 'pkZ' and RowKey gt 'rk'",
        "PartitionKey ge '' and PartitionKey le 'zzz'",
        "RowKey eq 'rk5'",
        "RowKey lt 'rk1' or RowKey gt 'rk9'",
        "PartitionKey eq 'pk0' or PartitionKey eq 'pka' or PartitionKey eq 'pkA'",
        "(PartitionKey eq 'pkA' and RowKey eq 'rk0') or (PartitionKey eq 'pkA' and RowKey eq 'rk1')",
        "not (PartitionKey eq 'pkB')",
        "PartitionKey ne 'pkB' or RowKey ne 'zz'",
        "Missing ne 'x' or true",
        "not (Missing eq 1)",
        "PartitionKey lt 'pkA' or Missing ne 1",
      })
  void queriesSeeTheRangeOnly(String filter) {
    List<EntityKey> allowed = new ArrayList<>(all(OWNER, filter));
    allowed.retainAll(INSIDE);
    assertThat(all(limited("r", RANGE), filter)).containsExactlyElementsOf(allowed);
  }

  @Test
  void pagesStayInTheRange() {
    List<EntityKey> seen = new ArrayList<>();
    EntityKey from = null;
    do {
      EntityPage page = page(limited("r", RANGE), "", 1, from);
      seen.addAll(keys(page));
      from = next(page);
      assertThat(from == null || INSIDE.contains(from)).isTrue();
    } while (from != null);
    assertThat(seen).containsExactlyElementsOf(INSIDE);
  }

  @Test
  void forgedTokensDoNotLeaveTheRange() {
    for (EntityKey from : both()) {
      List<EntityKey> expected =
          INSIDE.stream().filter(key -> compare(key, from) >= 0).sorted(this::compare).toList();
      assertThat(keys(page(limited("r", RANGE), "", 1000, from)))
          .containsExactlyElementsOf(expected);
    }
  }

  @Test
  void writesOutsideTheRangeAreRefused() {
    Caller caller = limited("raud", RANGE);
    for (EntityKey key : OUTSIDE) {
      for (EntityWrite write : everyWrite(key)) {
        refused(CommonErrors.AUTHORIZATION_FAILURE, caller, write(write));
      }
    }
    assertThat(all(OWNER, "")).hasSize(INSIDE.size() + OUTSIDE.size());
  }

  @Test
  void writesInsideTheRangeArePossible() {
    Caller caller = limited("raud", RANGE);
    for (EntityKey key : INSIDE) {
      run(caller, write(new Delete(key, ANY)));
      for (EntityWrite write : everyWrite(key)) {
        assertThat(run(caller, write(write))).isInstanceOf(Written.class);
      }
    }
  }

  @Test
  void oneWriteOutsideRefusesTheWholeTransaction() {
    Caller caller = limited("raud", RANGE);
    WriteEntities transaction =
        new WriteEntities(
            TABLE, List.of(new Delete(key("pkA", "rk1"), ANY), new Delete(key("pkA", "rk0"), ANY)));
    refused(CommonErrors.AUTHORIZATION_FAILURE, caller, transaction);
    assertThat(all(OWNER, "PartitionKey eq 'pkA'")).hasSize(3);
  }

  @Test
  void oneWriteWithoutPermissionRefusesTheWholeTransaction() {
    WriteEntities transaction =
        new WriteEntities(
            TABLE,
            List.of(
                new Delete(key("pkA", "rk1"), ANY), new Merge(key("pkA", "rk5"), List.of(), ANY)));
    refused(
        CommonErrors.AUTHORIZATION_PERMISSION_MISMATCH, limited("rd", KeyLimits.NONE), transaction);
    assertThat(all(OWNER, "PartitionKey eq 'pkA'")).hasSize(3);
  }

  /**
   * All eleven in order: "" · pk0 rk5 · pkA rk0 rk1 rk5 · pkB "" zz · pkZ rk9 rk9x · pkZ+ · pka.
   */
  @ParameterizedTest
  @CsvSource({
    "pkA,,,,9",
    "pkAA,,,,6",
    ",,pkA,,5",
    "pkA,,pkA,,3",
    "pkA,rk1,,,8",
    ",,pkZ,rk9,8",
    "pkB,,pkB,,2",
    "pkA,rk5,pkA,rk5,1",
    "pkB,,pkA,,0",
    "pkA,rk5,pkA,rk1,0",
  })
  void theFormsOfRanges(
      @Nullable String spk,
      @Nullable String srk,
      @Nullable String epk,
      @Nullable String erk,
      int visible) {
    assertThat(all(limited("r", new KeyLimits(spk, srk, epk, erk)), "")).hasSize(visible);
  }

  @ParameterizedTest
  @CsvSource({
    "r,insert",
    "r,upsert",
    "r,merge",
    "r,delete",
    "a,upsert",
    "u,upsert",
    "a,update",
    "u,insert",
    "rau,delete",
    "aud,read",
    "aud,query",
  })
  void eachOperationNeedsItsLetter(String letters, String operation) {
    refused(
        CommonErrors.AUTHORIZATION_PERMISSION_MISMATCH,
        limited(letters, KeyLimits.NONE),
        operation(operation));
    Caller account = new Caller("acct", false, new Access.OfAccount(letters, "sco"));
    refused(CommonErrors.AUTHORIZATION_PERMISSION_MISMATCH, account, operation(operation));
  }

  @ParameterizedTest
  @CsvSource({"r,read", "r,query", "a,insert", "u,update", "au,upsert", "au,merge", "d,delete"})
  void itsLettersAreEnough(String letters, String operation) {
    run(limited(letters, KeyLimits.NONE), operation(operation));
    Caller account = new Caller("acct", false, new Access.OfAccount(letters, "o"));
    run(OWNER, write(new Delete(key("pkB", ""), ANY)));
    run(OWNER, write(new Insert(key("pkB", ""), List.of())));
    run(account, operation(operation.equals("insert") ? "insert2" : operation));
  }

  @Test
  void aTableSignatureIsForItsTableOnly() {
    Caller caller = limited("raud", KeyLimits.NONE);
    TableName other = new TableName("Other");
    for (TableOperation operation :
        List.of(
            new FindEntity(other, key("a", "b"), Filter.ALL),
            new QueryEntities(other, Filter.ALL, 10, null),
            new WriteEntities(other, List.of(new Insert(key("a", "b"), List.of()))))) {
      refused(CommonErrors.AUTHORIZATION_FAILURE, caller, operation);
    }
  }

  @Test
  void aTableSignatureDoesNothingWithTables() {
    Caller caller = limited("raud", KeyLimits.NONE);
    for (TableOperation operation : onTables()) {
      refused(CommonErrors.AUTHORIZATION_FAILURE, caller, operation);
    }
  }

  @Test
  void anAccountSignatureNeedsTheResourceType() {
    Caller objects = new Caller("acct", false, new Access.OfAccount("rwdlacup", "so"));
    for (TableOperation operation : onTables()) {
      refused(CommonErrors.AUTHORIZATION_RESOURCE_TYPE_MISMATCH, objects, operation);
    }
    Caller containers = new Caller("acct", false, new Access.OfAccount("rwdlacup", "sc"));
    refused(CommonErrors.AUTHORIZATION_RESOURCE_TYPE_MISMATCH, containers, operation("read"));
  }

  @ParameterizedTest
  @CsvSource({
    "l,true,true,false,false",
    "r,false,true,false,false",
    "c,false,false,true,false",
    "w,false,false,true,false",
    "d,false,false,false,true",
  })
  void anAccountSignatureDoesWithTablesWhatItsLettersSay(
      String letters, boolean list, boolean find, boolean create, boolean delete) {
    Caller caller = new Caller("acct", false, new Access.OfAccount(letters, "c"));
    List<Boolean> allowed = List.of(list, find, create, delete);
    List<TableOperation> operations =
        List.of(
            new QueryTables(Filter.ALL, 10, ""),
            new FindTable(TABLE),
            new CreateTable(new TableName("Another")),
            new DeleteTable(TABLE));
    for (int i = 0; i < operations.size(); i++) {
      if (allowed.get(i)) {
        run(caller, operations.get(i));
      } else {
        refused(CommonErrors.AUTHORIZATION_PERMISSION_MISMATCH, caller, operations.get(i));
      }
    }
  }

  @Test
  void whetherATableExistsIsToldToThoseWhoMayInsert() {
    TableName missing = new TableName("Missing");
    assertThat(
            error(
                () ->
                    EngineFixture.await(
                        service
                            .requireTable(missing, limited("raud", RANGE), deadline())
                            .toCompletableFuture())))
        .isEqualTo(CommonErrors.AUTHORIZATION_FAILURE);
    assertThat(
            error(
                () ->
                    EngineFixture.await(
                        service
                            .requireTable(TABLE, limited("r", RANGE), deadline())
                            .toCompletableFuture())))
        .isEqualTo(CommonErrors.AUTHORIZATION_PERMISSION_MISMATCH);
    assertThat(
            error(
                () ->
                    EngineFixture.await(
                        service.requireTable(missing, OWNER, deadline()).toCompletableFuture())))
        .isEqualTo(TableErrors.TABLE_NOT_FOUND);
  }

  private static List<TableOperation> onTables() {
    return List.of(
        new QueryTables(Filter.ALL, 10, ""),
        new FindTable(TABLE),
        new CreateTable(TABLE),
        new DeleteTable(TABLE));
  }

  private static TableOperation operation(String name) {
    EntityKey key = key("pkB", "");
    return switch (name) {
      case "read" -> new FindEntity(TABLE, key, Filter.ALL);
      case "query" -> new QueryEntities(TABLE, Filter.ALL, 10, null);
      case "insert" -> write(new Insert(key("pkB", "new"), List.of()));
      case "insert2" -> write(new Insert(key("pkB", "new2"), List.of()));
      case "update" -> write(new Replace(key, List.of(), ANY));
      case "upsert" -> write(new Replace(key, List.of(), NONE));
      case "merge" -> write(new Merge(key, List.of(), NONE));
      case "delete" -> write(new Delete(key, ANY));
      default -> throw new IllegalArgumentException(name);
    };
  }

  /** Returns the writes in an order in which all of them succeed on a key that does not exist. */
  private static List<EntityWrite> everyWrite(EntityKey key) {
    return List.of(
        new Insert(key, List.of()),
        new Replace(key, List.of(), ANY),
        new Replace(key, List.of(), NONE),
        new Merge(key, List.of(), ANY),
        new Merge(key, List.of(), NONE),
        new Delete(key, ANY));
  }

  private static Caller limited(String letters, KeyLimits limits) {
    return new Caller("acct", false, new Access.OfResource("people", letters, limits));
  }

  private static List<EntityKey> both() {
    List<EntityKey> both = new ArrayList<>(INSIDE);
    both.addAll(OUTSIDE);
    return both;
  }

  private int compare(EntityKey a, EntityKey b) {
    int byPartition = a.partitionKey().compareTo(b.partitionKey());
    return byPartition != 0 ? byPartition : a.rowKey().compareTo(b.rowKey());
  }

  private List<EntityKey> all(Caller caller, String filter) {
    return keys(page(caller, filter, 1000, null));
  }

  private EntityPage page(Caller caller, String filter, int top, @Nullable EntityKey from) {
    return (EntityPage)
        run(caller, new QueryEntities(TABLE, ODataFilterParser.parse(filter), top, from));
  }

  private static List<EntityKey> keys(EntityPage page) {
    return page.entities().stream().map(e -> key(text(e.partition()), text(e.row()))).toList();
  }

  private static @Nullable EntityKey next(EntityPage page) {
    NextKey next = page.next();
    return next == null ? null : key(text(next.partition()), text(next.row()));
  }

  private static String text(byte[] key) {
    return Utf8.decode(key, 0, key.length);
  }

  private static EntityKey key(String partition, String row) {
    return new EntityKey(partition, row);
  }

  private static WriteEntities write(EntityWrite write) {
    return new WriteEntities(TABLE, List.of(write));
  }

  private void refused(ServiceError expected, Caller caller, TableOperation operation) {
    assertThat(error(() -> run(caller, operation))).isEqualTo(expected);
  }

  private static ServiceError error(org.assertj.core.api.ThrowableAssert.ThrowingCallable work) {
    return catchThrowableOfType(ServiceException.class, work).error();
  }

  private TableOutcome run(Caller caller, TableOperation operation) {
    return Futures.await(service.execute(operation, caller, deadline()));
  }

  private static Deadline deadline() {
    return Deadline.after(Duration.ofSeconds(30));
  }

  private TableService service() {
    Catalog catalog = new Catalog(engine);
    return new TableService(
        engine,
        catalog,
        new EntityQueries(
            engine,
            catalog,
            TableServiceTest.NO_RATES,
            Runnable::run,
            Runnable::run,
            Duration.ofSeconds(5),
            1 << 20,
            null),
        TableServiceTest.NO_RATES,
        new DeletedTables(Duration.ZERO));
  }
}
