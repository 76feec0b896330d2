package io.lazuli.client.entity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.data.tables.models.TableEntity;
import java.beans.ConstructorProperties;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Classes that a constructor or a builder creates. They have the methods, constructors and
 * annotations that Lombok emits.
 */
class ClassMappingTest {
  /** {@code @Value}, with {@code lombok.anyConstructor.addConstructorProperties}. */
  public static final class LombokValue {
    @PartitionKey private final String department;
    @RowKey private final String id;
    private final Optional<String> email;
    @Json private final List<String> skills;
    private final boolean active;
    @Ignored private final int cached;
    @Timestamp private final Instant changed;

    @ConstructorProperties({"department", "id", "email", "skills", "active", "cached", "changed"})
    public LombokValue(
        String a, String b, Optional<String> c, List<String> d, boolean e, int f, Instant g) {
      this.department = a;
      this.id = b;
      this.email = c;
      this.skills = d;
      this.active = e;
      this.cached = f;
      this.changed = g;
    }

    public String getDepartment() {
      return department;
    }

    public String getId() {
      return id;
    }

    public Optional<String> getEmail() {
      return email;
    }

    public List<String> getSkills() {
      return skills;
    }

    public boolean isActive() {
      return active;
    }

    public int getCached() {
      return cached;
    }

    public Instant getChanged() {
      return changed;
    }
  }

  @Test
  void aLombokValueRoundTrips() {
    EntityCodec<LombokValue> codec = EntityCodec.of(LombokValue.class);
    LombokValue value =
        new LombokValue("Sales", "1", Optional.empty(), List.of("a", "b"), true, 5, Instant.EPOCH);
    TableEntity entity = codec.write(value);
    assertThat(entity.getProperties())
        .containsOnlyKeys("PartitionKey", "RowKey", "Skills", "Active");
    assertThat(codec.read(entity))
        .usingRecursiveComparison()
        .ignoringFields("cached", "changed")
        .isEqualTo(value);
    assertThat(codec.read(entity).getCached()).isZero();
  }

  /** {@code @Value @Builder @Accessors(fluent = true)}, with a default and a singular. */
  public static final class LombokBuilt {
    @PartitionKey private final String department;
    @RowKey private final String id;
    private final int age;
    @Json private final List<String> skills;

    LombokBuilt(String department, String id, int age, List<String> skills) {
      this.department = department;
      this.id = id;
      this.age = age;
      this.skills = skills;
    }

    public static LombokBuiltBuilder builder() {
      return new LombokBuiltBuilder();
    }

    public String department() {
      return department;
    }

    public String id() {
      return id;
    }

    public int age() {
      return age;
    }

    public List<String> skills() {
      return skills;
    }

    public LombokBuiltBuilder toBuilder() {
      return new LombokBuiltBuilder().department(department).id(id).age(age).skills(skills);
    }

    /** The builder. */
    public static class LombokBuiltBuilder {
      private String department;
      private String id;
      private int age = 18;
      private List<String> skills = List.of();

      LombokBuiltBuilder() {}

      public LombokBuiltBuilder department(String department) {
        this.department = department;
        return this;
      }

      public LombokBuiltBuilder id(String id) {
        this.id = id;
        return this;
      }

      public LombokBuiltBuilder age(int age) {
        this.age = age;
        return this;
      }

      public LombokBuiltBuilder skill(String skill) {
        skills = List.of(skill);
        return this;
      }

      public LombokBuiltBuilder skills(Collection<? extends String> skills) {
        this.skills = List.copyOf(skills);
        return this;
      }

      public LombokBuilt build() {
        return new LombokBuilt(department, id, age, skills);
      }
    }
  }

  @Test
  void aLombokBuilderRoundTripsAndKeepsItsDefaults() {
    EntityCodec<LombokBuilt> codec = EntityCodec.of(LombokBuilt.class);
    LombokBuilt value =
        LombokBuilt.builder().department("Sales").id("1").age(40).skill("golf").build();
    assertThat(codec.read(codec.write(value))).usingRecursiveComparison().isEqualTo(value);
    LombokBuilt read = codec.read(new TableEntity("Sales", "1"));
    assertThat(read.age()).isEqualTo(18);
    assertThat(read.skills()).isEmpty();
  }

  /** An abstract class as AutoValue wants it, with a builder by hand. */
  public abstract static class Immutable {
    public abstract String partitionKey();

    public abstract String rowKey();

    public abstract Optional<String> email();

    public abstract boolean isActive();

    public static Builder newBuilder() {
      return new Builder();
    }

    /** Its setters are named in three ways. */
    public static final class Builder {
      private String partitionKey = "";
      private String rowKey = "";
      private Optional<String> email = Optional.empty();
      private boolean active;

      public Builder partitionKey(String value) {
        partitionKey = value;
        return this;
      }

      public void setRowKey(String value) {
        rowKey = value;
      }

      public Builder withEmail(String value) {
        return withEmail(Optional.of(value));
      }

      public Builder withEmail(Optional<String> value) {
        email = value;
        return this;
      }

      public Builder setActive(boolean value) {
        active = value;
        return this;
      }

      public Immutable build() {
        if (rowKey.isEmpty()) {
          throw new IllegalStateException("no row key");
        }
        return new Generated(partitionKey, rowKey, email, active);
      }
    }

    private static final class Generated extends Immutable {
      private final String partitionKey;
      private final String rowKey;
      private final Optional<String> email;
      private final boolean active;

      Generated(String partitionKey, String rowKey, Optional<String> email, boolean active) {
        this.partitionKey = partitionKey;
        this.rowKey = rowKey;
        this.email = email;
        this.active = active;
      }

      @Override
      public String partitionKey() {
        return partitionKey;
      }

      @Override
      public String rowKey() {
        return rowKey;
      }

      @Override
      public Optional<String> email() {
        return email;
      }

      @Override
      public boolean isActive() {
        return active;
      }
    }
  }

  @Test
  void anImmutableClassWithABuilderRoundTrips() {
    EntityCodec<Immutable> codec = EntityCodec.of(Immutable.class);
    Immutable.Builder builder = Immutable.newBuilder().partitionKey("p").withEmail("a@b");
    builder.setActive(true).setRowKey("r");
    TableEntity entity = codec.write(builder.build());
    assertThat(entity.getProperties())
        .containsOnlyKeys("PartitionKey", "RowKey", "Email", "Active");
    assertThat(codec.read(entity)).usingRecursiveComparison().isEqualTo(builder.build());
    assertThatThrownBy(() -> codec.read(new TableEntity("p", "")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no row key");
  }

  /** Has a bean's setters, a convenient constructor, and a getter without a setter. */
  public static class BeanWithConstructor {
    private String partitionKey = "";
    private String rowKey = "";
    private int visits = 1;
    private final String derived;

    public BeanWithConstructor() {
      derived = "d";
    }

    public BeanWithConstructor(String partitionKey, String derived) {
      this.partitionKey = partitionKey;
      this.derived = derived;
    }

    public String getPartitionKey() {
      return partitionKey;
    }

    public void setPartitionKey(String partitionKey) {
      this.partitionKey = partitionKey;
    }

    public String getRowKey() {
      return rowKey;
    }

    public void setRowKey(String rowKey) {
      this.rowKey = rowKey;
    }

    public int getVisits() {
      return visits;
    }

    public void setVisits(int visits) {
      this.visits = visits;
    }

    public String getDerived() {
      return derived;
    }
  }

  @Test
  void aBeanStaysABean() {
    EntityCodec<BeanWithConstructor> codec = EntityCodec.of(BeanWithConstructor.class);
    assertThat(codec.properties()).containsOnlyKeys("visits");
    assertThat(codec.read(new TableEntity("p", "r")).getVisits()).isEqualTo(1);
  }

  /** {@code @Data} with final fields: a constructor for these, and setters for the others. */
  public static class LombokData {
    private final String partitionKey;
    private final String rowKey;
    private int visits = 1;

    public LombokData(String partitionKey, String rowKey) {
      this.partitionKey = partitionKey;
      this.rowKey = rowKey;
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
  void aConstructorAndSettersCreateAValueTogether() {
    EntityCodec<LombokData> codec = EntityCodec.of(LombokData.class);
    LombokData value = new LombokData("p", "r");
    value.setVisits(5);
    assertThat(codec.read(codec.write(value))).usingRecursiveComparison().isEqualTo(value);
    assertThat(codec.read(new TableEntity("p", "r")).getVisits()).isEqualTo(1);
  }

  /** Two constructors of the same size fit. */
  static class Ambiguous {
    Ambiguous(@SuppressWarnings("unused") String partitionKey, int number) {}

    Ambiguous(@SuppressWarnings("unused") int number, String partitionKey) {}

    public String partitionKey() {
      return "";
    }

    public int number() {
      return 0;
    }
  }

  /** Its annotation names a parameter that has no accessor. */
  static class Misnamed {
    @ConstructorProperties({"partitionKey", "raw"})
    Misnamed(@SuppressWarnings("unused") String partitionKey, String rowKey) {}

    public String getPartitionKey() {
      return "";
    }
  }

  @Test
  void classesThatNothingCreatesAreRefusedWithAdvice() {
    rejects(Ambiguous.class, "2 constructors with 2 parameters; mark one");
    rejects(Misnamed.class, "the parameter raw of", "has no public accessor raw()");
    Class<?> compiledWithoutNames = AzureNamedKeyCredential.class;
    rejects(
        compiledWithoutNames, "-parameters (Kotlin: -java-parameters)", "@ConstructorProperties");
  }

  private static void rejects(Class<?> type, String... parts) {
    assertThatThrownBy(() -> EntityCodec.of(type))
        .isInstanceOf(MappingFailure.class)
        .message()
        .contains(parts);
  }
}
