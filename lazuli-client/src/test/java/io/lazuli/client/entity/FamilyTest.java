package io.lazuli.client.entity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.data.tables.models.TableEntity;
import org.junit.jupiter.api.Test;

class FamilyTest {
  sealed interface Staff permits Employee, Manager {}

  @TypeName(value = "Employee", version = 2)
  record Employee(String partitionKey, String rowKey, String firstName, String lastName)
      implements Staff {}

  @TypeName("Manager")
  record Manager(String partitionKey, String rowKey, int reports) implements Staff {}

  @TypeName("Employee")
  record EmployeeV1(String partitionKey, String rowKey, String name) {}

  @TypeName(value = "Employee", version = 3)
  record EmployeeV3(String partitionKey, String rowKey) {}

  sealed interface Indexed permits ById, ByEmail {}

  @RowKeyPrefix("empid_")
  record ById(String partitionKey, String rowKey) implements Indexed {}

  @RowKeyPrefix("email_")
  record ByEmail(String partitionKey, String rowKey) implements Indexed {}

  private static final EntityCodec<Staff> STAFF = EntityCodec.of(Staff.class);
  private static final Employee SMITH = new Employee("Sales", "1", "Jo", "Smith");

  @Test
  void theTypeAndVersionAreWrittenAndRead() {
    TableEntity smith = STAFF.write(SMITH);
    TableEntity manager = STAFF.write(new Manager("Sales", "2", 5));
    assertThat(smith.getProperty("EntityType")).isEqualTo("Employee_V2");
    assertThat(manager.getProperty("EntityType")).isEqualTo("Manager");
    assertThat(STAFF.read(smith)).isEqualTo(SMITH);
    assertThat(STAFF.read(manager)).isEqualTo(new Manager("Sales", "2", 5));
    assertThat(STAFF.key(SMITH)).isEqualTo(new EntityKey("Sales", "1"));
    assertThat(STAFF.properties()).containsOnlyKeys("firstName", "lastName", "reports");
  }

  @Test
  void theRowKeyIdentifiesTheClass() {
    EntityCodec<Indexed> codec = EntityCodec.of(Indexed.class);
    assertThat(codec.read(new TableEntity("Sales", "empid_1"))).isInstanceOf(ById.class);
    assertThat(codec.read(new TableEntity("Sales", "email_a@b"))).isInstanceOf(ByEmail.class);
    assertThatThrownBy(() -> codec.read(new TableEntity("Sales", "phone_1")))
        .isInstanceOf(MappingFailure.class)
        .hasMessageContaining("Sales/phone_1");
    assertThatThrownBy(() -> codec.write(new ById("Sales", "1")))
        .isInstanceOf(MappingFailure.class)
        .hasMessageContaining("ById.rowKey must begin with empid_");
  }

  @Test
  void anOldVersionIsReadByItsRegisteredReader() {
    TableEntity old =
        EntityCodec.of(EmployeeV1.class).write(new EmployeeV1("Sales", "1", "Jo Smith"));
    EntityCodec<Employee> current = EntityCodec.of(Employee.class);
    assertThatThrownBy(() -> current.read(old))
        .isInstanceOf(MappingFailure.class)
        .hasMessageContaining("reads Employee_V2, not Employee (use EntityCodec.upcasting");
    assertThat(current.upcasting(EmployeeV1.class, FamilyTest::upcast).read(old)).isEqualTo(SMITH);
    EntityCodec<Staff> family = STAFF.upcasting(EmployeeV1.class, FamilyTest::upcast);
    assertThat(family.read(old)).isEqualTo(SMITH);
    assertThat(family.read(family.write(SMITH))).isEqualTo(SMITH);
  }

  private static Employee upcast(EmployeeV1 old) {
    String[] names = old.name().split(" ", 2);
    return new Employee(old.partitionKey(), old.rowKey(), names[0], names[1]);
  }

  @Test
  void aNewerOrOtherTypeIsRejected() {
    EntityCodec<Employee> codec = EntityCodec.of(Employee.class);
    TableEntity newer = EntityCodec.of(EmployeeV3.class).write(new EmployeeV3("Sales", "1"));
    assertThatThrownBy(() -> codec.read(newer)).hasMessageContaining("newer version");
    TableEntity other = STAFF.write(new Manager("Sales", "2", 5));
    assertThatThrownBy(() -> codec.read(other))
        .isInstanceOf(MappingFailure.class)
        .hasMessageContaining("reads Employee_V2, not Manager: Sales/2");
  }

  sealed interface Unmarked permits Plain {}

  record Plain(String partitionKey, String rowKey) implements Unmarked {}

  sealed interface Twice permits One, Other {}

  @TypeName("Same")
  record One(String partitionKey, String rowKey) implements Twice {}

  @TypeName(value = "Same", version = 2)
  record Other(String partitionKey, String rowKey) implements Twice {}

  @Test
  void aFamilyWithAmbiguousClassesIsRejected() {
    assertThatThrownBy(() -> EntityCodec.of(Unmarked.class))
        .isInstanceOf(MappingFailure.class)
        .hasMessageContaining("needs a @TypeName or a @RowKeyPrefix");
    assertThatThrownBy(() -> EntityCodec.of(Twice.class))
        .isInstanceOf(MappingFailure.class)
        .hasMessageContaining("two of its classes have the @TypeName Same");
  }
}
