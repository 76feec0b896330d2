package io.lazuli.client.pattern.indexlist;

import static io.lazuli.client.pattern.indexlist.Named.JONES;
import static io.lazuli.client.pattern.indexlist.Named.OTHER_JONES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.FailsOnAzurite;
import io.lazuli.client.NotRehearsed;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.fault.Concurrently;
import io.lazuli.client.fault.Faults;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.AlreadyExists;
import io.lazuli.client.table.AsyncTable;
import io.lazuli.client.table.NotFound;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ListedTableTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private final TestClient client = TestClient.of(ACCOUNT);
  private final String table = client.newTable();
  private final ListedTable<Named> employees = employees(table, client).blocking();

  private static AsyncListedTable<Named> employees(String name, TestClient client) {
    AsyncTable<Named> table = AsyncTable.of(client.table(name), Named.class);
    // snippet
    AsyncListedTable<Named> employees =
        AsyncListedTable.of(table)
            .listedBy("lastname_", employee -> Optional.of(employee.lastName()));
    // end
    return employees;
  }

  private static String withJones(TestClient client) {
    String table = client.newTable();
    ListedTable<Named> employees = employees(table, client).blocking();
    employees.insert(JONES);
    employees.insert(OTHER_JONES);
    return table;
  }

  @Test
  void employeesAreFoundByLastName() {
    // snippet
    employees.insert(new Named("Sales", "000223", "Jones", 30));
    employees.insert(new Named("Sales", "000152", "Jones", 40));
    List<String> ids = employees.keys("Sales", "lastname_", "Jones");
    List<Named> joneses = employees.find("Sales", "lastname_", "Jones").toList();
    // end
    assertThat(ids).as("in the order of insertion").containsExactly("000223", "000152");
    assertThat(joneses).containsExactly(OTHER_JONES, JONES);
    assertThat(employees.keys("Sales", "lastname_", "Smith")).isEmpty();
    assertThat(employees.keys("Marketing", "lastname_", "Jones")).isEmpty();
    assertThatThrownBy(() -> employees.keys("Sales", "name_", "x")).hasMessageContaining("name_");
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void changesSendTheDocumentedNumberOfRequests() {
    assertThat(client.count(() -> employees.insert(JONES))).isEqualTo(2);
    assertThat(client.count(() -> rename(JONES, "Smith"))).isEqualTo(4);
    assertThat(client.count(() -> employees.update(JONES.key(), jones -> jones.withAge(41))))
        .isEqualTo(2);
    assertThat(client.count(() -> employees.keys("Sales", "lastname_", "Smith"))).isEqualTo(1);
    assertThat(client.count(() -> employees.deleteIfExists(JONES.key()))).isEqualTo(3);
    assertThat(rows()).isEmpty();
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void aRenameWritesThreeEntitiesInOneRequest() {
    employees.insert(JONES);
    employees.insert(OTHER_JONES);
    TestClient counted = TestClient.of(ACCOUNT);
    employees(table, counted).update(JONES.key(), jones -> jones.withName("Smith")).block();
    assertThat(counted.requests()).filteredOn(request -> !request.startsWith("GET")).hasSize(1);
    assertThat(employees.find("Sales", "lastname_", "Smith"))
        .containsExactly(JONES.withName("Smith"));
    assertThat(employees.keys("Sales", "lastname_", "Jones")).containsExactly("000223");
    rename(OTHER_JONES, "Smith");
    assertThat(employees.keys("Sales", "lastname_", "Smith")).containsExactly("000152", "000223");
    assertThat(rows()).containsExactly("000152", "000223", "lastname_Smith");
  }

  @Test
  void aRejectedWriteChangesNoList() {
    employees.insert(JONES);
    assertThatThrownBy(() -> employees.insert(JONES.withName("Smith")))
        .isInstanceOf(AlreadyExists.class);
    assertThatThrownBy(() -> employees.update(OTHER_JONES.key(), jones -> jones))
        .isInstanceOf(NotFound.class);
    assertThatThrownBy(() -> employees.update(JONES.key(), jones -> OTHER_JONES))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> employees.insert(JONES.withId("lastname_x")))
        .hasMessageContaining("key of a list");
    assertThat(employees.deleteIfExists(OTHER_JONES.key())).isFalse();
    agree(table, client);
    assertThat(rows()).containsExactly("000152", "lastname_Jones");
  }

  @Test
  void listsThatAreAddedLaterAreFilledByChanges() {
    employees.put(JONES);
    ListedTable<Named> byAge =
        employees(table, client)
            .listedBy("age_", employee -> Optional.of("" + employee.age()))
            .blocking();
    byAge.update(JONES.key(), same -> same);
    assertThat(byAge.keys("Sales", "age_", "40")).containsExactly("000152");
    byAge.put(JONES.withAge(41).withName("Smith"));
    assertThat(rows()).containsExactly("000152", "age_41", "lastname_Smith");
    assertThatThrownBy(
            () -> employees(table, client).listedBy("lastname_x", any -> Optional.empty()))
        .hasMessageContaining("mix");
  }

  @Test
  @FailsOnAzurite("rejects batches of more than a megabyte")
  void aListThatOutgrowsItsEntityGoesToABlob() {
    AsyncTable<TableEntity> stored = AsyncTable.of(client.table(table), EntityCodec.dynamic());
    EntityKey list = new EntityKey("Sales", "lastname_Jones");
    KeyList full = new KeyList(keysOf(ListEntities.BYTES_MAX));
    stored.insert(new ListEntities(Optional.empty()).write(list, full).block()).block();
    assertThat(employees.keys("Sales", "lastname_", "Jones")).isEqualTo(full.inOrder());
    assertThatThrownBy(() -> employees.insert(JONES))
        .isInstanceOf(ListFull.class)
        .hasMessageContaining("overflowingTo");
    assertThat(employees.find(JONES.key())).isEmpty();

    String container = client.newContainer();
    ListedTable<Named> large = overflowing(container, Duration.ofMinutes(59));
    large.insert(JONES);
    assertThat(large.keys("Sales", "lastname_", "Jones"))
        .hasSize(full.keys().size() + 1)
        .startsWith(full.inOrder().get(0))
        .endsWith("000152");
    large.insert(OTHER_JONES);
    assertThat(blobs(container)).isEqualTo(2);
    assertThat(large.collect()).as("younger than an hour").isZero();
    assertThat(overflowing(container, Duration.ofMinutes(61)).collect()).isEqualTo(1);
    assertThat(large.keys("Sales", "lastname_", "Jones")).endsWith("000152", "000223");
    large.deleteIfExists(JONES.key());
    large.deleteIfExists(OTHER_JONES.key());
    assertThat(employees.keys("Sales", "lastname_", "Jones")).isEqualTo(full.inOrder());
    assertThat(overflowing(container, Duration.ofHours(2)).collect()).isEqualTo(2);
    assertThat(blobs(container)).isZero();
  }

  private ListedTable<Named> overflowing(String container, Duration later) {
    Clock clock = Clock.offset(Clock.systemUTC(), later);
    return employees(table, client).overflowingTo(client.container(container), clock).blocking();
  }

  private long blobs(String container) {
    return client.container(container).listBlobs().count().blockOptional().orElseThrow();
  }

  /** Returns keys of 1,024 bytes each, including the line feed. */
  private static Set<String> keysOf(int bytes) {
    return IntStream.range(0, bytes / 1024)
        .mapToObj(number -> "%01023d".formatted(number))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  @Test
  void aRenameIsAtomicWhereverTheClientDies() {
    int requests =
        Faults.in(ACCOUNT, ListedTableTest::withJones)
            .forEveryCut(
                ListedTableTest::renameJones,
                ListedTableTest::agree,
                (world, live) -> {
                  renameJones(world, live);
                  agree(world, live);
                  assertThat(employees(world, live).keys("Sales", "lastname_", "Smith").block())
                      .containsExactly("000152");
                });
    assertThat(requests).isEqualTo(4);
  }

  private static void renameJones(String world, TestClient client) {
    employees(world, client).update(JONES.key(), jones -> jones.withName("Smith")).block();
  }

  @Test
  void insertionsAndDeletionsAreAtomicWhereverTheClientDies() {
    int requests =
        Faults.in(ACCOUNT, TestClient::newTable)
            .forEveryCut(
                (world, mortal) -> {
                  employees(world, mortal).insert(JONES).block();
                  employees(world, mortal).deleteIfExists(JONES.key()).block();
                },
                ListedTableTest::agree,
                (world, live) -> {
                  employees(world, live).put(OTHER_JONES).block();
                  agree(world, live);
                });
    assertThat(requests).isEqualTo(5);
  }

  @Test
  void concurrentClientsLeaveListsThatAgree() {
    long seed = System.nanoTime();
    Concurrently.run(
        3,
        actor -> {
          Random random = new Random(seed + actor);
          ListedTable<Named> mine = employees(table, TestClient.of(ACCOUNT)).blocking();
          for (int i = 0; i < 12; i++) {
            act(random, mine);
          }
        });
    assertThatCode(() -> agree(table, client)).as("seed %d", seed).doesNotThrowAnyException();
  }

  private static void act(Random random, ListedTable<Named> employees) {
    Named employee = JONES.withId("00" + random.nextInt(3));
    String name = random.nextBoolean() ? "Jones" : "Smith";
    try {
      switch (random.nextInt(6)) {
        case 0 -> employees.insert(employee.withName(name));
        case 1 -> employees.put(employee.withName(name));
        case 2, 3, 4 -> employees.update(employee.key(), old -> old.withName(name));
        default -> employees.deleteIfExists(employee.key());
      }
    } catch (AlreadyExists | NotFound rejected) {
      assertThat(rejected.key()).isEqualTo(employee.key());
    }
  }

  /**
   * Checks that every list has exactly the keys of the employees with its name, and that there are
   * no other lists.
   */
  private static void agree(String name, TestClient client) {
    AsyncTable<TableEntity> stored = AsyncTable.of(client.table(name), EntityCodec.dynamic());
    Map<Boolean, List<TableEntity>> rows =
        stored
            .blocking()
            .query(Query.all())
            .collect(Collectors.partitioningBy(row -> row.getRowKey().startsWith("lastname_")));
    Map<String, Set<String>> expected =
        rows.get(false).stream()
            .collect(
                Collectors.groupingBy(
                    row -> "lastname_" + row.getProperty("LastName"),
                    Collectors.mapping(TableEntity::getRowKey, Collectors.toSet())));
    ListEntities lists = new ListEntities(Optional.empty());
    Map<String, Set<String>> found =
        rows.get(true).stream()
            .collect(
                Collectors.toMap(
                    TableEntity::getRowKey,
                    row -> lists.read(row).blockOptional().orElseThrow().keys()));
    assertThat(found).isEqualTo(expected);
  }

  private void rename(Named employee, String name) {
    employees.update(employee.key(), old -> old.withName(name));
  }

  private List<String> rows() {
    return AsyncTable.of(client.table(table), EntityCodec.dynamic())
        .blocking()
        .query(Query.all())
        .map(TableEntity::getRowKey)
        .toList();
  }
}
