package io.lazuli.client.pattern.relation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.data.tables.TableAsyncClient;
import io.lazuli.client.NotRehearsed;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.fault.Concurrently;
import io.lazuli.client.fault.Faults;
import io.lazuli.client.fault.InterleavedAction;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.table.AlreadyExists;
import io.lazuli.client.table.AsyncTable;
import io.lazuli.client.table.NotFound;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RelationTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private static final EntityKey EAST = new EntityKey("Sales", "team_east");
  private static final EntityKey WEST = new EntityKey("Sales", "team_west");
  private static final Employee JONES = new Employee("Sales", "empid_1", "team_east", "Jones");

  private final TestClient client = TestClient.of(ACCOUNT);
  private final String table = eastAndWest(client);
  private final OneToMany<Team, Employee> staff = staff(client.table(table));

  record Team(@PartitionKey String department, @RowKey String id, String city, long employeeCount) {
    Team in(String other) {
      return new Team(department, id, other, -1);
    }
  }

  record Employee(@PartitionKey String department, @RowKey String id, String team, String name) {
    EntityKey key() {
      return new EntityKey(department, id);
    }

    Employee in(EntityKey other) {
      return new Employee(department, id, other.rowKey(), name);
    }

    Employee withId(String other) {
      return new Employee(department, other, team, name);
    }
  }

  private static OneToMany<Team, Employee> staff(TableAsyncClient client) {
    // snippet
    OneToMany<Team, Employee> staff =
        AsyncOneToMany.of(
                client,
                EntityCodec.of(Team.class),
                EntityCodec.of(Employee.class),
                "EmployeeCount", // the property of a team that has the count
                "empid_", // the prefix of the row keys of employees
                Employee::team)
            .blocking();
    // end
    return staff;
  }

  private static String eastAndWest(TestClient client) {
    String table = client.newTable();
    OneToMany<Team, Employee> staff = staff(client.table(table));
    staff.insertParent(new Team("Sales", EAST.rowKey(), "Boston", 99));
    staff.insertParent(new Team("Sales", WEST.rowKey(), "Seattle", 99));
    return table;
  }

  private static String withJones(TestClient client) {
    String table = eastAndWest(client);
    staff(client.table(table)).insertChild(JONES);
    return table;
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void theParentCountsItsChildren() {
    assertThat(staff.count(EAST)).contains(0L);
    assertThat(client.count(() -> staff.insertChild(JONES))).isEqualTo(2);
    // snippet
    staff.insertChild(new Employee("Sales", "empid_2", "team_east", "Smith"));
    long employees =
        staff.parent(new EntityKey("Sales", "team_east")).orElseThrow().employeeCount();
    // end
    assertThat(employees).isEqualTo(2);
    assertThat(staff.children(EAST)).hasSize(2).contains(JONES);
    assertThat(staff.children(WEST)).isEmpty();
    assertThat(client.count(() -> staff.deleteChildIfExists(JONES.key()))).isEqualTo(3);
    assertThat(staff.count(EAST)).contains(1L);
    assertThat(staff.deleteChildIfExists(JONES.key())).isFalse();
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void aChildMovesBetweenParents() {
    staff.insertChild(JONES);
    assertThat(client.count(() -> staff.updateChild(JONES.key(), jones -> jones.in(WEST))))
        .isEqualTo(4);
    agree(table, client);
    assertThat(staff.count(WEST)).contains(1L);
    assertThat(client.count(() -> staff.updateChild(JONES.key(), jones -> jones))).isEqualTo(2);
    EntityKey north = new EntityKey("Sales", "team_north");
    assertThatThrownBy(() -> staff.updateChild(JONES.key(), jones -> jones.in(north)))
        .isInstanceOf(NotFound.class);
    assertThat(staff.child(JONES.key())).contains(JONES.in(WEST));
  }

  @Test
  void aChangeOfTheParentKeepsItsCount() {
    staff.insertChild(JONES);
    Team moved = staff.updateParent(EAST, east -> east.in("New York"));
    assertThat(moved).isEqualTo(new Team("Sales", EAST.rowKey(), "New York", 1));
    assertThat(staff.parent(EAST)).contains(moved);
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void aParentWithChildrenIsNotDeleted() {
    staff.insertChild(JONES);
    assertThatThrownBy(() -> staff.deleteParentIfExists(EAST)).isInstanceOf(HasChildren.class);
    staff.deleteChildIfExists(JONES.key());
    assertThat(client.count(() -> staff.deleteParentIfExists(EAST))).isEqualTo(2);
    assertThat(staff.deleteParentIfExists(EAST)).isFalse();
    assertThatThrownBy(() -> staff.insertChild(JONES)).isInstanceOf(NotFound.class);
  }

  @Test
  void aChildIsInsertedOnce() {
    staff.insertChild(JONES);
    assertThatThrownBy(() -> staff.insertChild(JONES)).isInstanceOf(AlreadyExists.class);
    assertThatThrownBy(() -> staff.insertChild(JONES.withId("x"))).hasMessageContaining("empid_");
    assertThat(staff.count(EAST)).contains(1L);
  }

  @Test
  void theCountIsRightWhereverTheClientDies() {
    Faults<String> faults = Faults.in(ACCOUNT, RelationTest::withJones);
    Employee smith = JONES.withId("empid_2");
    int insert =
        faults.forEveryCut(
            (world, mortal) -> staff(mortal.table(world)).insertChild(smith),
            (world, live) -> agree(world, live),
            (world, live) -> insertAgain(smith, world, live));
    assertThat(insert).isEqualTo(2);
    int move =
        faults.forEveryCut(
            (world, mortal) ->
                staff(mortal.table(world)).updateChild(JONES.key(), jones -> jones.in(WEST)),
            (world, live) -> {},
            RelationTest::agree);
    assertThat(move).isEqualTo(4);
    int delete =
        faults.forEveryCut(
            (world, mortal) -> staff(mortal.table(world)).deleteChildIfExists(JONES.key()),
            (world, live) -> staff(live.table(world)).deleteChildIfExists(JONES.key()),
            (world, live) -> {
              agree(world, live);
              assertThat(staff(live.table(world)).count(EAST)).contains(0L);
            });
    assertThat(delete).isEqualTo(3);
  }

  private static void insertAgain(Employee smith, String world, TestClient live) {
    OneToMany<Team, Employee> staff = staff(live.table(world));
    if (staff.child(smith.key()).isEmpty()) {
      staff.insertChild(smith);
    }
    assertThat(staff.count(EAST)).contains(2L);
    agree(world, live);
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void aChildInsertedBetweenReadingAndWritingTheCountIsCounted() {
    Employee smith = JONES.withId("empid_2");
    counted(2, mine -> mine.insertChild(JONES), () -> staff.insertChild(smith));
    assertThat(staff.count(EAST)).contains(2L);
    counted(
        4,
        mine -> mine.updateChild(JONES.key(), jones -> jones.in(WEST)),
        () -> staff.deleteChildIfExists(smith.key()));
    counted(
        3, mine -> mine.deleteChildIfExists(JONES.key()), () -> staff.insertChild(smith.in(WEST)));
    assertThat(staff.count(WEST)).contains(1L);
  }

  /** Lets another client act before the last request, so that all requests are sent again. */
  private void counted(int requests, Consumer<OneToMany<Team, Employee>> act, Runnable other) {
    InterleavedAction interleaved = new InterleavedAction(requests, other);
    act.accept(staff(ACCOUNT.tables(interleaved).getTableClient(table)));
    agree(table, client);
    assertThat(interleaved.requests()).as("two attempts").isEqualTo(2 * requests);
  }

  @Test
  void theCountIsRightWithConcurrentClients() {
    long seed = System.nanoTime();
    Concurrently.run(
        3,
        actor -> {
          Random random = new Random(seed + actor);
          OneToMany<Team, Employee> mine = staff(TestClient.of(ACCOUNT).table(table));
          for (int i = 0; i < 12; i++) {
            act(random, mine);
          }
        });
    assertThatCode(() -> agree(table, client)).as("seed %d", seed).doesNotThrowAnyException();
  }

  private static void act(Random random, OneToMany<Team, Employee> staff) {
    Employee child = JONES.withId("empid_" + random.nextInt(3));
    EntityKey team = random.nextBoolean() ? EAST : WEST;
    try {
      switch (random.nextInt(5)) {
        case 0, 1 -> staff.insertChild(child.in(team));
        case 2 -> staff.updateChild(child.key(), old -> old.in(team));
        case 3 -> staff.updateParent(team, old -> old.in(old.city() + "."));
        default -> staff.deleteChildIfExists(child.key());
      }
    } catch (AlreadyExists | NotFound rejected) {
      assertThat(rejected.key()).isEqualTo(child.key());
    }
  }

  private static void agree(String table, TestClient client) {
    OneToMany<Team, Employee> staff = staff(client.table(table));
    assertThat(staff.count(EAST)).contains(staff.children(EAST).count());
    assertThat(staff.count(WEST)).contains(staff.children(WEST).count());
  }

  record Contract(@PartitionKey String department, @RowKey String id, int salary) {}

  record Linked(@PartitionKey String department, @RowKey String id, Optional<String> contractId) {}

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void pairsAreFoundByKeyConvention() {
    AsyncTable<Employee> employees = AsyncTable.of(client.table(table), Employee.class);
    // snippet
    OneToOne<Employee, Contract> contracts =
        AsyncOneToOne.<Employee, Contract>byKey(
                employees,
                employees.as(EntityCodec.of(Contract.class)),
                key -> new EntityKey(key.partitionKey(), "contract_" + key.rowKey()))
            .blocking();
    // end
    Contract contract = new Contract("Sales", "contract_empid_1", 100);
    assertThat(client.count(() -> contracts.insert(JONES, contract))).isEqualTo(1);
    assertThat(contracts.find(JONES.key()))
        .contains(new AsyncOneToOne.Pair<>(JONES, Optional.of(contract)));
    assertThatThrownBy(() -> contracts.insert(JONES, new Contract("Sales", "other", 1)))
        .hasMessageContaining("does not refer");
    assertThatThrownBy(() -> contracts.insert(JONES, contract)).isInstanceOf(AlreadyExists.class);
    assertThat(client.count(() -> contracts.deleteIfExists(JONES.key()))).isEqualTo(3);
    assertThat(employees.as(EntityCodec.of(Contract.class)).find(contractKey()).blockOptional())
        .isEmpty();
    assertThat(contracts.deleteIfExists(JONES.key())).isFalse();
  }

  private static EntityKey contractKey() {
    return new EntityKey("Sales", "contract_empid_1");
  }

  @Test
  void pairsAreFoundByAStoredLink() {
    AsyncTable<Linked> firsts = AsyncTable.of(client.table(table), Linked.class);
    AsyncTable<Contract> elsewhere = AsyncTable.of(client.table(client.newTable()), Contract.class);
    OneToOne<Linked, Contract> pairs =
        AsyncOneToOne.byLink(
                firsts,
                elsewhere,
                (Linked linked) -> linked.contractId().map(id -> new EntityKey("2024", id)))
            .blocking();
    Linked linked = new Linked("Sales", "empid_1", Optional.of("c7"));
    Contract contract = new Contract("2024", "c7", 100);
    assertThatThrownBy(() -> pairs.insert(linked, contract)).hasMessageContaining("outbox");
    firsts.insert(linked).block();
    assertThat(pairs.find(JONES.key()).orElseThrow().second()).isEmpty();
    elsewhere.insert(contract).block();
    assertThat(pairs.find(JONES.key()).orElseThrow().second()).contains(contract);
    assertThat(pairs.find(new EntityKey("x", "y"))).isEmpty();
  }

  @Test
  void aPairIsAtomicWhereverTheClientDies() {
    Faults.in(ACCOUNT, TestClient::newTable)
        .forEveryCut(
            (world, mortal) -> insertAndDelete(world, mortal),
            (world, live) -> {},
            (world, live) -> {
              AsyncTable<Employee> employees = AsyncTable.of(live.table(world), Employee.class);
              assertThat(employees.find(JONES.key()).hasElement().block())
                  .isEqualTo(
                      employees
                          .as(EntityCodec.of(Contract.class))
                          .find(contractKey())
                          .hasElement()
                          .block());
            });
  }

  private static void insertAndDelete(String world, TestClient mortal) {
    AsyncTable<Employee> employees = AsyncTable.of(mortal.table(world), Employee.class);
    AsyncOneToOne<Employee, Contract> contracts =
        AsyncOneToOne.byKey(
            employees, employees.as(EntityCodec.of(Contract.class)), key -> contractKey());
    contracts.insert(JONES, new Contract("Sales", "contract_empid_1", 1)).block();
    contracts.deleteIfExists(JONES.key()).block();
  }
}
