package io.lazuli.client.entity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.data.tables.models.TableEntity;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Kotlin classes. They have the methods, constructors and annotations that Kotlin's compiler emits.
 * This project is compiled with {@code -parameters}, as Kotlin's {@code -java-parameters} does it.
 */
class KotlinMappingTest {
  /** Stands for {@code kotlin.jvm.internal.DefaultConstructorMarker}. */
  static final class DefaultConstructorMarker {
    private DefaultConstructorMarker() {}
  }

  /**
   * <pre>{@code
   * data class KotlinEmployee(
   *   @PartitionKey val department: String, @RowKey val id: String, val lastName: String,
   *   val age: Int, val manager: Boolean, val isActive: Boolean, val nick: String? = null,
   *   val bonus: Int? = null, @Name("E_mail") val email: String = "none",
   *   @get:ETag val eTag: String? = null)
   * }</pre>
   */
  public static final class KotlinEmployee {
    @PartitionKey private final String department;
    @RowKey private final String id;
    private final String lastName;
    private final int age;
    private final boolean manager;
    private final boolean isActive;
    private final String nick;
    private final Integer bonus;

    @Name("E_mail")
    private final String email;

    private final String eTag;

    public KotlinEmployee(
        String department,
        String id,
        String lastName,
        int age,
        boolean manager,
        boolean isActive,
        String nick,
        Integer bonus,
        String email,
        String eTag) {
      this.department = notNull(department, "department");
      this.id = notNull(id, "id");
      this.lastName = notNull(lastName, "lastName");
      this.age = age;
      this.manager = manager;
      this.isActive = isActive;
      this.nick = nick;
      this.bonus = bonus;
      this.email = notNull(email, "email");
      this.eTag = eTag;
    }

    /**
     * Kotlin's is synthetic. The compiler of Java cannot make a synthetic constructor on demand.
     */
    public KotlinEmployee(
        String department,
        String id,
        String lastName,
        int age,
        boolean manager,
        boolean isActive,
        String nick,
        Integer bonus,
        String email,
        String eTag,
        int defaults,
        DefaultConstructorMarker marker) {
      this(
          department,
          id,
          lastName,
          age,
          manager,
          isActive,
          (defaults & 64) == 0 ? nick : null,
          (defaults & 128) == 0 ? bonus : null,
          (defaults & 256) == 0 ? email : "none",
          (defaults & 512) == 0 ? eTag : null);
    }

    private static String notNull(String value, String name) {
      return Objects.requireNonNull(
          value, "Parameter specified as non-null is null: method <init>, parameter " + name);
    }

    public String getDepartment() {
      return department;
    }

    public String getId() {
      return id;
    }

    public String getLastName() {
      return lastName;
    }

    public int getAge() {
      return age;
    }

    public boolean getManager() {
      return manager;
    }

    public boolean isActive() {
      return isActive;
    }

    public String getNick() {
      return nick;
    }

    public Integer getBonus() {
      return bonus;
    }

    public String getEmail() {
      return email;
    }

    @ETag
    public String getETag() {
      return eTag;
    }

    public String component1() {
      return department;
    }

    public KotlinEmployee copy(String department, String id) {
      return new KotlinEmployee(
          department, id, lastName, age, manager, isActive, nick, bonus, email, eTag);
    }

    public static KotlinEmployee copy$default(KotlinEmployee self, String id, int mask, Object o) {
      return self.copy(self.department, (mask & 2) == 0 ? id : self.id);
    }
  }

  private static final KotlinEmployee KOTLIN =
      new KotlinEmployee("Sales", "1", "Jones", 40, true, true, null, 7, "a@b", "tag");

  @Test
  void aKotlinDataClassRoundTrips() {
    EntityCodec<KotlinEmployee> codec = EntityCodec.of(KotlinEmployee.class);
    TableEntity entity = codec.write(KOTLIN);
    assertThat(entity.getProperties())
        .containsOnlyKeys(
            "PartitionKey",
            "RowKey",
            "LastName",
            "Age",
            "Manager",
            "IsActive",
            "Bonus",
            "E_mail",
            "odata.etag");
    assertThat(codec.read(entity)).usingRecursiveComparison().isEqualTo(KOTLIN);
    assertThat(codec.key(KOTLIN)).isEqualTo(new EntityKey("Sales", "1"));
    assertThat(codec.properties().get("age"))
        .isEqualTo(new MappedProperty("Age", Integer.class, true));
  }

  @Test
  void aNullThatAConstructorRefusesNamesTheEntityAndTheProperties() {
    EntityCodec<KotlinEmployee> codec = EntityCodec.of(KotlinEmployee.class);
    TableEntity entity = codec.write(KOTLIN);
    entity.getProperties().remove("LastName");
    assertThatThrownBy(() -> codec.read(entity))
        .isInstanceOf(MappingFailure.class)
        .hasMessageContaining("KotlinEmployee refuses null, and Sales/1 has no properties")
        .hasMessageContaining("LastName")
        .cause()
        .hasMessageContaining("parameter lastName");
    entity.addProperty("LastName", "Jones").getProperties().remove("Age");
    assertThatThrownBy(() -> codec.read(entity))
        .isInstanceOf(MappingFailure.class)
        .hasMessageContaining("KotlinEmployee.age is missing: Sales/1 has no property Age");
  }

  /** {@code data class AllDefaults(val partitionKey: String = "p", ..., var visits: Int = 0)} */
  public static final class AllDefaults {
    private final String partitionKey;
    private final String rowKey;
    private int visits;

    public AllDefaults(String partitionKey, String rowKey, int visits) {
      this.partitionKey = partitionKey;
      this.rowKey = rowKey;
      this.visits = visits;
    }

    public AllDefaults() {
      this("p", "r", 0);
    }

    public String getPartitionKey() {
      return partitionKey;
    }

    public String getRowKey() {
      return rowKey;
    }

    public int getVisits() {
      return visits;
    }

    public void setVisits(int visits) {
      this.visits = visits;
    }
  }

  @Test
  void aKotlinClassWhoseParametersAllHaveDefaultsIsNotABean() {
    AllDefaults read =
        EntityCodec.of(AllDefaults.class).read(new TableEntity("a", "b").addProperty("Visits", 3));
    assertThat(read.getPartitionKey()).isEqualTo("a");
    assertThat(read.getVisits()).isEqualTo(3);
  }
}
