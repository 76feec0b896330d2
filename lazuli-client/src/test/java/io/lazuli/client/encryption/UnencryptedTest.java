package io.lazuli.client.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.data.tables.TableAsyncClient;
import com.azure.data.tables.models.TableEntity;
import com.azure.data.tables.models.TableTransactionActionType;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.Encrypted;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.entity.MappingFailure;
import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.entity.TypeName;
import io.lazuli.client.pattern.copies.AsyncDetailCopies;
import io.lazuli.client.pattern.period.AsyncPeriodTables;
import io.lazuli.client.pattern.period.Period;
import io.lazuli.client.pattern.relation.AsyncOneToMany;
import io.lazuli.client.pattern.wide.AsyncWideTable;
import io.lazuli.client.table.AsyncTable;
import io.lazuli.client.table.Table;
import io.lazuli.client.table.Write;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Members are marked {@code @Encrypted}, and no codec encrypts them. */
class UnencryptedTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private static final EntityCipher CIPHER =
      EntityCipher.gcm(
          KeyRing.of(
              AesWrappingKey.of(
                  "k", "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII))));

  private final String name = TestAccount.uniqueName("secrets");
  private final TableAsyncClient client = ACCOUNT.tables().getTableClient(name);

  sealed interface Staff permits Employee, Visitor {}

  @TypeName(value = "Employee", version = 2)
  record Employee(@PartitionKey String p, @RowKey String r, @Encrypted String salary)
      implements Staff {}

  @TypeName("Visitor")
  record Visitor(@PartitionKey String p, @RowKey String r, String host) implements Staff {}

  @TypeName("Employee")
  record OldEmployee(@PartitionKey String p, @RowKey String r, String pay) {}

  private static final EntityCodec<Employee> EMPLOYEES = EntityCodec.of(Employee.class);
  private static final Employee ANN = new Employee("p", "1", "100");

  @Test
  void aTableIsNotMade() {
    refused(() -> Table.of(client, Employee.class));
    refused(() -> Table.of(client, EMPLOYEES));
    refused(() -> AsyncTable.of(client, Employee.class));
    refused(() -> AsyncTable.of(client, EMPLOYEES));
    refused(() -> AsyncTable.of(client, EntityCodec.dynamic()).as(EMPLOYEES));
    refused(() -> Table.of(client, Staff.class));
    refused(
        () ->
            Table.of(
                client,
                EMPLOYEES.upcasting(
                    OldEmployee.class, old -> new Employee(old.p(), old.r(), old.pay()))));
  }

  @Test
  void patternsAreNotMade() {
    EntityCodec<Visitor> visitors = EntityCodec.of(Visitor.class);
    refused(() -> AsyncWideTable.of(client, EMPLOYEES));
    refused(
        () ->
            AsyncPeriodTables.of(
                ACCOUNT.tables(), "Secrets", Period.DAY, EMPLOYEES, value -> Instant.EPOCH));
    refused(() -> AsyncOneToMany.of(client, EMPLOYEES, visitors, "Count", "v_", Visitor::host));
    refused(() -> AsyncOneToMany.of(client, visitors, EMPLOYEES, "Count", "e_", Employee::r));
    refused(
        () ->
            AsyncDetailCopies.of(
                client,
                EMPLOYEES,
                visitors,
                employee -> Set.of(),
                visitor -> Optional.empty(),
                (visitor, employee) -> visitor));
    refused(
        () ->
            AsyncDetailCopies.of(
                client,
                visitors,
                EMPLOYEES,
                visitor -> Set.of(),
                employee -> Optional.empty(),
                (employee, visitor) -> employee));
  }

  @Test
  void aCodecDoesNotWrite() {
    refused(() -> EMPLOYEES.write(ANN));
    refused(() -> EMPLOYEES.write(ANN, TableTransactionActionType.UPDATE_MERGE));
    refused(() -> EMPLOYEES.encode(ANN, TableTransactionActionType.CREATE).block());
    refused(() -> EntityCodec.of(Staff.class).write(ANN));
    refused(() -> Write.insert(ANN).with(EMPLOYEES));
    refused(() -> new Wrapper(EMPLOYEES).write(ANN));
  }

  /** A codec of a user, which does not know about encryption. */
  private record Wrapper(EntityCodec<Employee> codec) implements EntityCodec<Employee> {
    @Override
    public TableEntity write(Employee value) {
      return codec.write(value);
    }

    @Override
    public Employee read(TableEntity entity) {
      return codec.read(entity);
    }
  }

  @Test
  void anUnencryptedEntityIsStillReadAndItsKeyIsKnown() {
    TableEntity plain = new TableEntity("p", "1").addProperty("Salary", "100");
    assertThat(EMPLOYEES.read(plain)).isEqualTo(ANN);
    assertThat(EMPLOYEES.key(ANN)).isEqualTo(new EntityKey("p", "1"));
    assertThat(EMPLOYEES.encryptedProperties()).containsExactly("Salary");
    assertThat(EMPLOYEES).isSameAs(EntityCodec.of(Employee.class));
  }

  @Test
  void anEncryptingCodecWritesFamiliesAndOlderVersions() {
    client.createTable().block();
    EntityCodec<Staff> staff = EncryptedCodec.of(EntityCodec.of(Staff.class), CIPHER, name);
    Table<Staff> table = Table.of(client, staff);
    table.insert(ANN);
    table.insert(new Visitor("p", "2", "Ann"));
    assertThat(table.find(new EntityKey("p", "1"))).contains(ANN);
    assertThat(client.getEntity("p", "1").map(stored -> stored.getProperty("Salary")).block())
        .isInstanceOf(byte[].class);
    Table<Employee> employees = table.as(EMPLOYEES);
    assertThat(employees.find(new EntityKey("p", "1"))).contains(ANN);
    EntityCodec<Employee> upcasting =
        EncryptedCodec.of(
            EMPLOYEES.upcasting(
                OldEmployee.class, old -> new Employee(old.p(), old.r(), old.pay())),
            CIPHER,
            name);
    assertThat(Table.of(client, upcasting).find(new EntityKey("p", "1"))).contains(ANN);
  }

  private static void refused(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(MappingFailure.class)
        .hasMessageContaining("Salary")
        .hasMessageContaining("@Encrypted")
        .hasMessageContaining("EncryptedCodec.of(");
  }
}
