package io.lazuli.client.pattern.index;

import static io.lazuli.client.pattern.index.Person.JONES;
import static io.lazuli.client.pattern.index.Person.SMITH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.NotRehearsed;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.AlreadyExists;
import io.lazuli.client.table.AsyncTable;
import io.lazuli.client.table.NotFound;
import io.lazuli.client.table.Table;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class IndexedTableTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private final TestClient client = TestClient.of(ACCOUNT);
  private final AsyncTable<Person> table =
      AsyncTable.of(client.table(client.newTable()), Person.class);
  private final AsyncIndexedTable<Person> indexed =
      AsyncIndexedTable.of(table, "empid_")
          .indexedBy("email_", person -> Optional.of(person.email()));
  private final IndexedTable<Person> people = indexed.blocking();

  @Test
  void theGuidesExampleWorks() {
    AsyncTable<Person> employeeTable = table;
    // snippet
    IndexedTable<Person> employees =
        AsyncIndexedTable.of(employeeTable, "empid_")
            .indexedBy("email_", employee -> Optional.of(employee.email()))
            .blocking();

    employees.insert(new Person("Sales", "000223", "Jun Jones", "jonesj@contoso.com", 40));

    Optional<Person> jones = employees.by("email_").find("Sales", "jonesj@contoso.com");
    List<Person> first100 = employees.by("empid_").range("Sales", "000200", "000300").toList();
    employees.update(
        new EntityKey("Sales", "000223"), employee -> employee.withEmail("jun@contoso.com"));
    // end
    assertThat(jones).contains(JONES);
    assertThat(first100).containsExactly(JONES);
    assertThat(people.by("email_").find("Sales", "jun@contoso.com"))
        .contains(JONES.withEmail("jun@contoso.com"));
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void anInsertWritesAllCopiesInOneRequest() {
    assertThat(client.count(() -> people.insert(JONES))).isEqualTo(1);
    assertThat(rows()).containsExactly("email_jonesj@contoso.com", "empid_000223");
  }

  @Test
  void lookupsAndRangesGoByEveryIndex() {
    people.insert(JONES);
    people.insert(SMITH);
    assertThat(people.find(JONES.key())).contains(JONES);
    assertThat(people.by("empid_").find("Sales", "000224")).contains(SMITH);
    assertThat(people.by("email_").find("Sales", "smiths@contoso.com")).contains(SMITH);
    assertThat(people.by("email_").find("Sales", "nobody@contoso.com")).isEmpty();
    assertThat(people.by("email_").partition("Sales")).containsExactly(JONES, SMITH);
    assertThat(people.by("email_").prefix("Sales", "smi")).containsExactly(SMITH);
    assertThat(people.by("empid_").range("Sales", "000223", "000224")).containsExactly(JONES);
    assertThat(people.by("email_").partition("Marketing")).isEmpty();
    assertThatThrownBy(() -> people.by("name_")).hasMessageContaining("name_");
  }

  @Test
  void aTakenValueIsRejectedAndTheErrorNamesItsIndex() {
    people.insert(JONES);
    assertThatThrownBy(() -> people.insert(SMITH.withEmail(JONES.email())))
        .isInstanceOfSatisfying(
            AlreadyExists.class,
            taken ->
                assertThat(taken.key())
                    .isEqualTo(new EntityKey("Sales", "email_jonesj@contoso.com")));
    assertThatThrownBy(() -> people.insert(JONES.withEmail("other@contoso.com")))
        .isInstanceOfSatisfying(
            AlreadyExists.class,
            taken -> assertThat(taken.key()).isEqualTo(new EntityKey("Sales", "empid_000223")));
    assertThat(rows()).hasSize(2);
    people.insert(SMITH);
    assertThatThrownBy(() -> people.update(SMITH.key(), smith -> smith.withEmail(JONES.email())))
        .isInstanceOf(AlreadyExists.class)
        .hasMessageContaining("email_");
    assertThat(people.by("email_").partition("Sales")).containsExactly(JONES, SMITH);
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void aChangedValueMovesItsCopyInTwoRequests() {
    people.insert(JONES);
    assertThat(client.count(() -> people.update(JONES.key(), jones -> jones.withEmail("j@x.com"))))
        .isEqualTo(2);
    assertThat(rows()).containsExactly("email_j@x.com", "empid_000223");
    assertThat(people.by("email_").find("Sales", "j@x.com")).contains(JONES.withEmail("j@x.com"));
  }

  @Test
  void aChangeOfSomethingElseReachesAllCopies() {
    people.insert(JONES);
    assertThat(people.update(JONES.key(), jones -> jones.withAge(41))).isEqualTo(JONES.withAge(41));
    assertThat(people.find(JONES.key())).contains(JONES.withAge(41));
    assertThat(people.by("email_").partition("Sales")).containsExactly(JONES.withAge(41));
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void putInsertsAndReplaces() {
    people.put(JONES);
    assertThat(client.count(() -> people.put(JONES.withEmail("j@x.com")))).isEqualTo(2);
    assertThat(rows()).containsExactly("email_j@x.com", "empid_000223");
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void aDeletionLeavesNothingInTwoRequests() {
    people.insert(JONES);
    assertThat(client.count(() -> assertThat(people.deleteIfExists(JONES.key())).isTrue()))
        .isEqualTo(2);
    assertThat(rows()).isEmpty();
    assertThat(people.deleteIfExists(JONES.key())).isFalse();
  }

  @Test
  void missingEntitiesCannotBeChangedNorMoved() {
    assertThatThrownBy(() -> people.update(JONES.key(), jones -> jones))
        .isInstanceOf(NotFound.class);
    people.insert(JONES);
    assertThatThrownBy(() -> people.update(JONES.key(), jones -> SMITH))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anEntityWithoutAValueIsNotInTheIndex() {
    IndexedTable<Person> adults =
        AsyncIndexedTable.of(table, "empid_")
            .indexedBy(
                "adult_", person -> Optional.of(person.id()).filter(id -> person.age() >= 18))
            .blocking();
    adults.insert(JONES.withAge(17));
    assertThat(rows()).containsExactly("empid_000223");
    adults.update(JONES.key(), jones -> jones.withAge(18));
    assertThat(rows()).containsExactly("adult_000223", "empid_000223");
    adults.update(JONES.key(), jones -> jones.withAge(17));
    assertThat(rows()).containsExactly("empid_000223");
  }

  @Test
  void anIndexThatIsAddedLaterIsFilledByChanges() {
    people.insert(JONES);
    IndexedTable<Person> more =
        indexed.indexedBy("name_", person -> Optional.of(person.name())).blocking();
    more.update(JONES.key(), same -> same);
    assertThat(more.by("name_").find("Sales", "Jun Jones")).contains(JONES);
    people.update(JONES.key(), same -> same);
    assertThat(rows()).as("an index that was dropped").hasSize(2);
  }

  /** The properties of the copies by name. */
  record Contact(@PartitionKey String department, @RowKey String id, String email) {}

  @Test
  void copiesMayHaveSomeOfTheProperties() {
    IndexedTable<Person> withContacts =
        indexed
            .indexedBy("name_", person -> Optional.of(person.name()), Set.of("Email"))
            .blocking();
    withContacts.insert(JONES);
    assertThat(
            withContacts.by("name_").as(EntityCodec.of(Contact.class)).find("Sales", "Jun Jones"))
        .contains(new Contact("Sales", "000223", JONES.email()));
    TableEntity copy = stored().find(new EntityKey("Sales", "name_Jun Jones")).orElseThrow();
    assertThat(copy.getProperties()).containsKey("Email").doesNotContainKeys("Name", "Age");
  }

  @Test
  void prefixesThatMixAreRejected() {
    assertThatThrownBy(() -> indexed.indexedBy("email_work_", person -> Optional.empty()))
        .hasMessageContaining("would mix");
    assertThatThrownBy(() -> indexed.indexedBy("emp", person -> Optional.empty()))
        .hasMessageContaining("would mix");
    assertThatThrownBy(() -> indexed.indexedBy("", person -> Optional.empty()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Simulates encryption: its result differs each time and is bound to the key. */
  private static final class SealingCodec implements EntityCodec<Person> {
    private final EntityCodec<Person> plain = EntityCodec.of(Person.class);

    @Override
    public TableEntity write(Person value) {
      TableEntity entity = plain.write(value);
      return entity
          .addProperty("Seal", UUID.randomUUID().toString())
          .addProperty("BoundTo", EntityKey.of(entity).toString());
    }

    @Override
    public Person read(TableEntity entity) {
      assertThat(entity.getProperty("BoundTo")).isEqualTo(EntityKey.of(entity).toString());
      return plain.read(entity);
    }
  }

  @Test
  void anEncryptingCodecEncryptsEveryCopySeparately() {
    IndexedTable<Person> sealed =
        AsyncIndexedTable.of(table.as(new SealingCodec()), "empid_")
            .indexedBy("email_", person -> Optional.of(person.email()))
            .blocking();
    sealed.insert(JONES);
    sealed.update(JONES.key(), jones -> jones.withAge(41));
    assertThat(sealed.by("email_").partition("Sales")).containsExactly(JONES.withAge(41));
    assertThat(stored().query(Query.all()).map(row -> row.getProperty("Seal")))
        .hasSize(2)
        .doesNotHaveDuplicates();
  }

  private Table<TableEntity> stored() {
    return table.stored().blocking();
  }

  private List<String> rows() {
    return stored().query(Query.all()).map(TableEntity::getRowKey).toList();
  }
}
