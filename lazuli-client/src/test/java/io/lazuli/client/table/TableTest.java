package io.lazuli.client.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.data.tables.TableAsyncClient;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableServiceException;
import io.lazuli.client.NotRehearsed;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.ETag;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.entity.Timestamp;
import io.lazuli.client.query.Query;
import io.lazuli.client.query.Segment;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TableTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  record Employee(
      @PartitionKey String department,
      @RowKey String id,
      String lastName,
      int age,
      Optional<String> email,
      @ETag @Nullable String eTag,
      @Timestamp @Nullable Instant changed) {

    static Employee of(String id, String lastName) {
      return new Employee("Sales", id, lastName, 30, Optional.empty(), null, null);
    }

    Employee aged(int years) {
      return new Employee(department, id, lastName, years, email, eTag, changed);
    }

    EntityKey key() {
      return new EntityKey(department, id);
    }
  }

  private static TableAsyncClient client;
  private static Table<Employee> employees;

  @BeforeAll
  static void createTable() {
    client = ACCOUNT.tables().getTableClient(TestAccount.uniqueName("employees"));
    ACCOUNT.tables().createTableIfNotExists(client.getTableName()).block();
    employees = Table.of(client, Employee.class);
  }

  @Test
  void anInsertedEntityIsFoundWithETagAndTime() {
    Employee smith = Employee.of("insert", "Smith");
    Employee inserted = employees.insert(smith);
    Employee found = employees.find(smith.key()).orElseThrow();
    assertThat(found.eTag()).isEqualTo(inserted.eTag());
    assertThat(inserted).usingRecursiveComparison().ignoringFields("eTag").isEqualTo(smith);
    assertThat(found.changed()).isNotNull();
    assertThat(found).usingRecursiveComparison().ignoringFields("eTag", "changed").isEqualTo(smith);
  }

  @Test
  void aMissingEntityIsNotFound() {
    assertThat(employees.find(new EntityKey("Sales", "nobody"))).isEmpty();
  }

  @Test
  void aMissingTableIsNotReportedAsAMissingEntity() {
    TableAsyncClient nowhere = ACCOUNT.tables().getTableClient(TestAccount.uniqueName("nowhere"));
    Table<Employee> missing = Table.of(nowhere, Employee.class);
    assertThatThrownBy(() -> missing.find(new EntityKey("Sales", "nobody")))
        .isInstanceOf(TableServiceException.class);
  }

  @Test
  void aSecondInsertFailsWithTheKey() {
    Employee twice = Employee.of("twice", "Jones");
    employees.insert(twice);
    assertThatThrownBy(() -> employees.insert(twice))
        .isInstanceOfSatisfying(
            AlreadyExists.class, failure -> assertThat(failure.key()).isEqualTo(twice.key()))
        .hasCauseInstanceOf(TableServiceException.class);
  }

  @Test
  void replaceWithTheETagThatTheValueCarriesFailsOnceItHasChanged() {
    Employee mike = Employee.of("mike", "Mike");
    Employee read = employees.insert(mike);
    Employee second = employees.replace(read.aged(31));
    assertThat(second.eTag()).isNotNull().isNotEqualTo(read.eTag());
    assertThat(second.age()).isEqualTo(31);
    assertThatThrownBy(() -> employees.replace(read.aged(32))).isInstanceOf(ConditionNotMet.class);
    assertThatThrownBy(() -> employees.merge(read.aged(32))).isInstanceOf(ConditionNotMet.class);
    employees.replace(second.aged(33));
    employees.merge(read.aged(34), Condition.any());
    assertThat(employees.find(mike.key()).orElseThrow().age()).isEqualTo(34);
  }

  @Test
  void aValueWithoutETagNeedsACondition() {
    Employee fresh = Employee.of("fresh", "Fresh");
    assertThatThrownBy(() -> employees.replace(fresh))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Condition");
    assertThatThrownBy(() -> employees.replace(fresh, Condition.any()))
        .isInstanceOf(NotFound.class);
    assertThatThrownBy(() -> employees.merge(fresh, Condition.any())).isInstanceOf(NotFound.class);
  }

  @Test
  void mergesKeepPropertiesThatReplacesDrop() {
    EntityKey key = new EntityKey("Sales", "more");
    Table<TableEntity> dynamic = employees.as(EntityCodec.dynamic());
    TableEntity more =
        EntityCodec.of(Employee.class).write(Employee.of("more", "More")).addProperty("Extra", 1);
    dynamic.upsertReplace(more);
    employees.upsertMerge(Employee.of("more", "Merged"));
    employees.merge(Employee.of("more", "Again"), Condition.any());
    assertThat(dynamic.find(key).orElseThrow().getProperty("Extra")).isEqualTo(1);
    employees.upsertReplace(Employee.of("more", "Replaced"));
    assertThat(dynamic.find(key).orElseThrow().getProperty("Extra")).isNull();
  }

  @Test
  void deleteReturnsWhetherItDeleted() {
    Employee leaving = Employee.of("leaving", "Leaving");
    String eTag = employees.insert(leaving).eTag();
    employees.upsertReplace(leaving);
    assertThatThrownBy(() -> employees.delete(leaving.key(), Condition.eTag(eTag)))
        .isInstanceOf(ConditionNotMet.class);
    employees.delete(leaving.key(), Condition.any());
    assertThatThrownBy(() -> employees.delete(leaving.key(), Condition.any()))
        .isInstanceOf(NotFound.class);
    assertThat(employees.deleteIfExists(leaving.key())).isFalse();
    employees.insert(leaving);
    assertThat(employees.deleteIfExists(leaving.key())).isTrue();
  }

  @Test
  void aDynamicEntityIsChangedWithoutKnowingItsClass() {
    Employee known = Employee.of("dynamic", "Known");
    employees.insert(known);
    Table<TableEntity> dynamic = employees.as(EntityCodec.dynamic());
    TableEntity entity = dynamic.find(known.key()).orElseThrow();
    dynamic.merge(entity.addProperty("Age", 44));
    assertThat(employees.find(known.key()).orElseThrow().age()).isEqualTo(44);
    assertThatThrownBy(() -> dynamic.merge(entity)).isInstanceOf(ConditionNotMet.class);
  }

  @Test
  void everyWriteReturnsTheValueWithTheETagForTheNextOne() {
    Employee value = employees.insert(Employee.of("chain", "Chain"));
    value = employees.replace(value.aged(31));
    value = employees.merge(value.aged(32));
    value = employees.upsertMerge(value.aged(33));
    value = employees.upsertReplace(value.aged(34));
    value = employees.update(value.key(), read -> read.aged(35));
    value = employees.replace(value.aged(36));
    assertThat(employees.find(value.key()).orElseThrow())
        .usingRecursiveComparison()
        .ignoringFields("changed")
        .isEqualTo(value);
  }

  @Test
  @NotRehearsed("an insert whose answer is lost may fail")
  void aBlockingClientIsAcceptedToo() {
    TableClient blocking =
        new TableServiceClientBuilder()
            .connectionString(ACCOUNT.connectionString())
            .buildClient()
            .getTableClient(client.getTableName());
    Table<Employee> same = Table.of(blocking, Employee.class);
    Employee inserted = same.insert(Employee.of("blocking1", "Block"));
    same.replace(inserted.aged(31));
    assertThatThrownBy(() -> same.replace(inserted)).isInstanceOf(ConditionNotMet.class);
    assertThatThrownBy(() -> same.insert(inserted)).isInstanceOf(AlreadyExists.class);
    same.merge(inserted.aged(32), Condition.any());
    same.upsertMerge(Employee.of("blocking2", "Other"));
    same.update(inserted.key(), read -> read.aged(read.age() + 1));
    same.batch(
        Batch.of(
            Write.insert(Employee.of("blocking3", "Third")),
            Write.insert(Employee.of("blocking4", "Fourth"))));
    Query prefix = Query.prefix("Sales", "blocking");
    assertThat(same.query(prefix.segmentSize(1)).map(Employee::age))
        .containsExactly(33, 30, 30, 30);
    Segment<Employee> first = same.segment(prefix.segmentSize(3), null);
    assertThat(first.values()).hasSize(3);
    assertThat(same.segment(prefix, first.next()).values()).hasSize(1);
    assertThat(same.deleteIfExists(inserted.key())).isTrue();
    assertThat(same.deleteIfExists(inserted.key())).isFalse();
    assertThat(same.find(inserted.key())).isEmpty();
    assertThatThrownBy(() -> same.update(inserted.key(), read -> read))
        .isInstanceOf(NotFound.class);
  }

  @Test
  void severalKeysAreFoundInParallel() {
    employees.insert(Employee.of("all1", "One"));
    employees.insert(Employee.of("all2", "Two"));
    List<EntityKey> keys =
        List.of("all1", "all2", "all3").stream().map(id -> new EntityKey("Sales", id)).toList();
    assertThat(employees.findAll(keys, 2))
        .extracting(Employee::lastName)
        .containsExactlyInAnyOrder("One", "Two");
  }
}
