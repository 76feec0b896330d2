package io.lazuli.client.entity;

import static io.lazuli.client.query.Filter.property;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.TestAccount;
import io.lazuli.client.encryption.AesWrappingKey;
import io.lazuli.client.encryption.EncryptedCodec;
import io.lazuli.client.encryption.EntityCipher;
import io.lazuli.client.encryption.KeyRing;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.Table;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A table in which another program stores types that this one does not know. */
class UnknownTypeTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  sealed interface Staff permits Employee, Manager {}

  @TypeName(value = "Employee", version = 2)
  record Employee(String partitionKey, String rowKey, @Encrypted String name) implements Staff {}

  @TypeName("Employee")
  record OldEmployee(String partitionKey, String rowKey, String title) {}

  @TypeName("Manager")
  record Manager(String partitionKey, String rowKey, int reports) implements Staff {}

  private static final Employee ANN = new Employee("p", "1", "Ann");
  private static final Manager BOB = new Manager("p", "3", 4);
  private static final EntityKey ROBOT = new EntityKey("p", "2");

  /** A type that only the other program knows. */
  @TypeName("Robot")
  record Robot(String partitionKey, String rowKey, @Encrypted String secret) {}

  private final EntityCipher cipher =
      EntityCipher.gcm(
          KeyRing.of(
              AesWrappingKey.of(
                  "k", "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII))));
  private final String name = TestAccount.uniqueName("types");
  private Table<TableEntity> stored;
  private EntityCodec<Staff> staff;
  private EntityCodec<Employee> employees;

  @BeforeEach
  void fill() {
    ACCOUNT.tables().createTable(name).block();
    staff = EncryptedCodec.of(EntityCodec.of(Staff.class), cipher, name);
    employees = EncryptedCodec.of(EntityCodec.of(Employee.class), cipher, name);
    stored = Table.of(ACCOUNT.tables().getTableClient(name), EntityCodec.dynamic());
    table(staff).insert(ANN);
    table(staff).insert(BOB);
    stored.insert(
        new TableEntity("p", "2").addProperty("EntityType", "Robot").addProperty("Arms", 3));
  }

  private <T> Table<T> table(EntityCodec<T> codec) {
    return stored.async().with(codec).blocking();
  }

  @Test
  void anUnknownTypeFailsByDefault() {
    assertThatThrownBy(() -> table(staff).query(Query.all()).toList())
        .isInstanceOf(MappingFailure.class)
        .hasMessageContaining("p/2")
        .hasMessageContaining("Robot");
    assertThatThrownBy(() -> table(employees).find(ROBOT)).isInstanceOf(MappingFailure.class);
  }

  @Test
  void unknownTypesAreSkipped() {
    Table<Staff> skipping = table(staff.skippingUnknownTypes());
    assertThat(skipping.query(Query.all())).containsExactly(ANN, BOB);
    assertThat(ACCOUNT.valuesOf(token -> skipping.segment(Query.all(), token)))
        .containsExactly(ANN, BOB);
    assertThat(skipping.find(ROBOT)).isEmpty();
    assertThat(table(employees.skippingUnknownTypes()).query(Query.all())).containsExactly(ANN);
    assertThatThrownBy(() -> skipping.update(ROBOT, value -> value))
        .isInstanceOf(MappingFailure.class);
    assertThat(stored.find(ROBOT)).isPresent();
    skipping.update(new EntityKey("p", "3"), bob -> new Manager("p", "3", 5));
    assertThat(skipping.find(new EntityKey("p", "3"))).contains(new Manager("p", "3", 5));
  }

  @Test
  void unknownTypesAreSkippedAlsoInsideAnEncryptingCodec() {
    EntityCodec<Staff> inside = EntityCodec.of(Staff.class).skippingUnknownTypes();
    Table<Staff> skipping = table(((EncryptedCodec<Staff>) staff).forSameTable(inside));
    assertThat(skipping.query(Query.all())).containsExactly(ANN, BOB);
    assertThatThrownBy(() -> skipping.update(ROBOT, value -> value))
        .isInstanceOf(MappingFailure.class);
    assertThatThrownBy(() -> table(inside)).isInstanceOf(MappingFailure.class);
  }

  @Test
  void unknownTypesAreDynamic() {
    Table<Found<Staff>> all = table(staff.orDynamic());
    List<Found<Staff>> found = all.query(Query.all()).toList();
    assertThat(found).hasSize(3);
    assertThat(found.get(0)).isEqualTo(new Found.Typed<>(ANN));
    assertThat(found.get(2)).isEqualTo(new Found.Typed<>(BOB));
    assertThat(found.get(1))
        .isInstanceOfSatisfying(
            Found.Dynamic.class,
            robot -> assertThat(robot.entity().getProperty("Arms")).isEqualTo(3));
    all.update(ROBOT, UnknownTypeTest::withFourArms);
    assertThat(stored.find(ROBOT).orElseThrow().getProperty("Arms")).isEqualTo(4);
    all.insert(new Found.Typed<>(new Employee("p", "4", "Cem")));
    assertThat(stored.find(new EntityKey("p", "4")).orElseThrow().getProperty("Name"))
        .isInstanceOf(byte[].class);
    assertThat(all.find(new EntityKey("p", "4")))
        .contains(new Found.Typed<>(new Employee("p", "4", "Cem")));
    assertThatThrownBy(() -> table(EntityCodec.of(Staff.class).orDynamic()))
        .isInstanceOf(MappingFailure.class)
        .hasMessageContaining("@Encrypted");
  }

  @Test
  void aQueryMayNameAnyPropertyOfADynamicEntity() {
    Table<Found<Staff>> all = table(staff.orDynamic());
    assertThat(all.query(Query.where(property("Arms").eq(3))))
        .singleElement()
        .isInstanceOf(Found.Dynamic.class);
    assertThat(all.query(Query.where(property("Reports").eq(4))))
        .containsExactly(new Found.Typed<>(BOB));
    assertThatThrownBy(() -> all.query(Query.where(property("Name").eq("Ann"))).toList())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("encrypted");
  }

  /** The encrypting codec is inside or outside. */
  private List<Table<Found<Staff>>> both() {
    EntityCodec<Found<Staff>> plain = EntityCodec.of(Staff.class).orDynamic();
    return List.of(table(staff.orDynamic()), table(staff.forSameTable(plain)));
  }

  @Test
  void anUpdateKeepsUnknownPropertiesOfAKnownType() {
    EntityKey key = new EntityKey("p", "3");
    for (Table<Found<Staff>> all : both()) {
      stored.upsertMerge(new TableEntity("p", "3").addProperty("Extra", 7));
      all.update(key, bob -> new Found.Typed<>(new Manager("p", "3", 5)));
      assertThat(stored.find(key).orElseThrow().getProperties())
          .containsEntry("Extra", 7)
          .containsEntry("Reports", 5);
    }
  }

  @Test
  void anUpdateOfAnUnknownTypeKeepsItsEncryption() {
    EntityKey key = new EntityKey("p", "9");
    for (Table<Found<Staff>> all : both()) {
      EncryptedCodec<Robot> robots = EncryptedCodec.of(EntityCodec.of(Robot.class), cipher, name);
      table(robots).upsertReplace(new Robot("p", "9", "beep"));
      all.update(key, UnknownTypeTest::withFourArms);
      assertThat(stored.find(key).orElseThrow().getProperty("Arms")).isEqualTo(4);
      assertThat(stored.find(key).orElseThrow().getProperty("Secret")).isInstanceOf(byte[].class);
      assertThat(table(robots).find(key)).contains(new Robot("p", "9", "beep"));
    }
  }

  private static Found<Staff> withFourArms(Found<Staff> found) {
    ((Found.Dynamic<Staff>) found).entity().addProperty("Arms", 4);
    return found;
  }

  @Test
  void anotherVersionOfAKnownTypeIsNotSkipped() {
    stored.insert(
        new TableEntity("p", "4").addProperty("EntityType", "Employee").addProperty("Title", "x"));
    Table<Staff> skipping = table(staff.skippingUnknownTypes());
    assertThatThrownBy(() -> skipping.query(Query.all()).toList())
        .isInstanceOf(MappingFailure.class)
        .hasMessageContaining("upcasting");
    EntityCodec<Staff> upcasting =
        staff
            .skippingUnknownTypes()
            .upcasting(OldEmployee.class, old -> new Employee("p", old.rowKey(), old.title()));
    assertThat(table(upcasting).query(Query.all()))
        .containsExactly(ANN, BOB, new Employee("p", "4", "x"));
  }
}
