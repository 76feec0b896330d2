package io.lazuli.client.entity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.data.tables.models.TableEntity;
import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EntityCodecTest {
  private static final OffsetDateTime TIME = OffsetDateTime.parse("2013-08-22T01:12:22.1234567Z");

  record Address(String street, List<Integer> floors) {}

  record Everything(
      @PartitionKey String department,
      @RowKey String id,
      String text,
      boolean flag,
      int small,
      long large,
      double fraction,
      Instant instant,
      OffsetDateTime time,
      UUID guid,
      byte[] binary,
      DayOfWeek day,
      @Nullable Integer maybe,
      Optional<Long> perhaps,
      @Json Address address,
      @Json Optional<Map<String, Instant>> times,
      @Name("E_mail") String email,
      @Ignored int ignored,
      @ETag @Nullable String eTag,
      @Timestamp Optional<Instant> changed) {}

  private static final Everything EVERYTHING =
      new Everything(
          "Sales",
          "1",
          "",
          true,
          -1,
          Long.MIN_VALUE,
          0.1,
          TIME.toInstant(),
          TIME,
          new UUID(1, 2),
          new byte[] {1, 2},
          DayOfWeek.FRIDAY,
          null,
          Optional.of(5L),
          new Address("Main", List.of(1, 2)),
          Optional.of(Map.of("start", TIME.toInstant())),
          "a@b",
          7,
          "tag",
          Optional.of(TIME.toInstant()));

  @Test
  void aRecordBecomesTheEntityThatOneWouldWriteByHand() {
    Map<String, Object> properties =
        EntityCodec.of(Everything.class).write(EVERYTHING).getProperties();
    assertThat(properties)
        .containsEntry("PartitionKey", "Sales")
        .containsEntry("RowKey", "1")
        .containsEntry("Text", "")
        .containsEntry("Flag", true)
        .containsEntry("Small", -1)
        .containsEntry("Large", Long.MIN_VALUE)
        .containsEntry("Fraction", 0.1)
        .containsEntry("Instant", TIME)
        .containsEntry("Time", TIME)
        .containsEntry("Guid", new UUID(1, 2))
        .containsEntry("Binary", new byte[] {1, 2})
        .containsEntry("Day", "FRIDAY")
        .containsEntry("Perhaps", 5L)
        .containsEntry("Address", "{\"street\":\"Main\",\"floors\":[1,2]}")
        .containsEntry("E_mail", "a@b")
        .containsEntry("odata.etag", "tag")
        .doesNotContainKeys("Maybe", "Ignored", "Timestamp", "Changed", "Email", "ETag")
        .hasSize(17);
  }

  @Test
  void entitiesRoundTrip() {
    EntityCodec<Everything> codec = EntityCodec.of(Everything.class);
    TableEntity entity = codec.write(EVERYTHING).addProperty("Timestamp", TIME);
    assertThat(codec.read(entity))
        .usingRecursiveComparison()
        .ignoringFields("ignored")
        .isEqualTo(EVERYTHING);
    assertThat(codec.read(entity).ignored()).isZero();
    assertThat(codec.key(EVERYTHING)).isEqualTo(new EntityKey("Sales", "1"));
  }

  @Test
  void aRecordWithANewETagIsACopyWithAllOtherMembers() {
    Everything next = EntityCodec.of(Everything.class).withETag(EVERYTHING, "next");
    assertThat(next.eTag()).isEqualTo("next");
    assertThat(next).usingRecursiveComparison().ignoringFields("eTag").isEqualTo(EVERYTHING);
    record Plain(String partitionKey, String rowKey) {}
    Plain plain = new Plain("p", "r");
    assertThat(EntityCodec.of(Plain.class).withETag(plain, "next")).isSameAs(plain);
    record Maybe(String partitionKey, String rowKey, @ETag Optional<String> eTag) {}
    assertThat(EntityCodec.of(Maybe.class).withETag(new Maybe("p", "r", Optional.empty()), "next"))
        .isEqualTo(new Maybe("p", "r", Optional.of("next")));
    Built built = EntityCodec.of(Built.class).withETag(new Built("p", "r", "old", "note"), "next");
    assertThat(built.eTag).isEqualTo("next");
    assertThat(built.note).isEqualTo("note");
    TableEntity entity = new TableEntity("p", "r").addProperty("Text", "a");
    assertThat(EntityCodec.dynamic().withETag(entity, "next").getETag()).isEqualTo("next");
    assertThat(entity.getETag()).isNull();
  }

  /** An immutable class with a builder. */
  public static final class Built {
    private final String partitionKey;
    private final String rowKey;
    private final String eTag;
    private final String note;

    private Built(String partitionKey, String rowKey, String eTag, String note) {
      this.partitionKey = partitionKey;
      this.rowKey = rowKey;
      this.eTag = eTag;
      this.note = note;
    }

    public String getPartitionKey() {
      return partitionKey;
    }

    public String getRowKey() {
      return rowKey;
    }

    @ETag
    public String getETag() {
      return eTag;
    }

    public String getNote() {
      return note;
    }

    public static Builder builder() {
      return new Builder();
    }

    /** The builder. */
    public static final class Builder {
      private String partitionKey = "";
      private String rowKey = "";
      private String eTag = "";
      private String note = "";

      public Builder partitionKey(String value) {
        partitionKey = value;
        return this;
      }

      public Builder rowKey(String value) {
        rowKey = value;
        return this;
      }

      public Builder eTag(String value) {
        eTag = value;
        return this;
      }

      public Builder note(String value) {
        note = value;
        return this;
      }

      public Built build() {
        return new Built(partitionKey, rowKey, eTag, note);
      }
    }
  }

  @Test
  void timesAreTruncatedToTicksAndReadInUtc() {
    record Event(String partitionKey, String rowKey, OffsetDateTime at) {}
    OffsetDateTime fine =
        OffsetDateTime.of(2020, 1, 1, 0, 0, 0, 123_456_789, ZoneOffset.ofHours(2));
    EntityCodec<Event> codec = EntityCodec.of(Event.class);
    Event read = codec.read(codec.write(new Event("p", "r", fine)));
    assertThat(read.at()).isEqualTo(OffsetDateTime.parse("2019-12-31T22:00:00.1234567Z"));
    assertThat(read.at().getOffset()).isEqualTo(ZoneOffset.UTC);
  }

  @Test
  void theCodecOfATypeIsCreatedOnce() {
    assertThat(EntityCodec.of(Everything.class)).isSameAs(EntityCodec.of(Everything.class));
  }

  @Test
  void aSmallerNumberIsReadAsALargerOne() {
    record Count(String partitionKey, String rowKey, long large, double fraction) {}
    TableEntity entity =
        new TableEntity("p", "r").addProperty("Large", 1).addProperty("Fraction", 2);
    assertThat(EntityCodec.of(Count.class).read(entity)).isEqualTo(new Count("p", "r", 1, 2));
  }

  @Test
  void mismatchesNameTheMemberAndTheEntity() {
    record Count(String partitionKey, String rowKey, int count, DayOfWeek day) {}
    EntityCodec<Count> codec = EntityCodec.of(Count.class);
    TableEntity entity = new TableEntity("p", "r");
    assertThatThrownBy(() -> codec.read(entity))
        .isInstanceOf(MappingFailure.class)
        .hasMessageContaining("Count.count is missing: p/r has no property Count");
    entity.addProperty("Count", "three").addProperty("Day", "Someday");
    assertThatThrownBy(() -> codec.read(entity))
        .isInstanceOf(MappingFailure.class)
        .hasMessageContaining(
            "Count.count is stored as Integer, but the property Count of p/r is String");
    entity.addProperty("Count", 3);
    assertThatThrownBy(() -> codec.read(entity))
        .isInstanceOf(MappingFailure.class)
        .hasMessageContaining("Count.day: the property Day of p/r 'Someday' is not one of");
    assertThatThrownBy(() -> codec.write(new Count("p", "r", 1, null)))
        .isInstanceOf(MappingFailure.class)
        .hasMessageContaining("Count.day is null");
    assertThatThrownBy(() -> codec.write(new Count("p", null, 1, DayOfWeek.MONDAY)))
        .isInstanceOf(MappingFailure.class)
        .hasMessageContaining("Count.rowKey is null");
  }

  @Test
  void exceptionsOfConstructorsAreThrownUnchanged() {
    record Positive(String partitionKey, String rowKey, int count) {
      Positive {
        if (count <= 0) {
          throw new IllegalStateException("not positive");
        }
      }
    }
    EntityCodec<Positive> codec = EntityCodec.of(Positive.class);
    TableEntity entity = codec.write(new Positive("p", "r", 1)).addProperty("Count", -1);
    assertThatThrownBy(() -> codec.read(entity))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("not positive");
  }

  /** A bean, as legacy code has them. */
  public static class Bean {
    public int visits = 1;
    @Json public List<String> tags = List.of("none");
    private String department = "";
    @RowKey private String id = "";
    private String name = "nobody";
    private boolean active;
    private Optional<String> email = Optional.empty();

    @PartitionKey
    public String getDepartment() {
      return department;
    }

    public void setDepartment(String department) {
      this.department = department;
    }

    public String getId() {
      return id;
    }

    public void setId(String id) {
      this.id = id;
    }

    public String getName() {
      return name;
    }

    public void setName(String name) {
      this.name = name;
    }

    public boolean isActive() {
      return active;
    }

    public void setActive(boolean active) {
      this.active = active;
    }

    public Optional<String> getEmail() {
      return email;
    }

    public void setEmail(Optional<String> email) {
      this.email = email;
    }

    public String getUpperName() {
      return name.toUpperCase(java.util.Locale.ROOT);
    }
  }

  @Test
  void aBeanIsMappedByItsAccessorsAndPublicFields() {
    Bean bean = new Bean();
    bean.setDepartment("Sales");
    bean.setId("1");
    bean.setName(null);
    bean.setActive(true);
    bean.setEmail(Optional.of("a@b"));
    bean.visits = 3;
    bean.tags = List.of("a");
    EntityCodec<Bean> codec = EntityCodec.of(Bean.class);
    TableEntity entity = codec.write(bean);
    assertThat(entity.getProperties())
        .containsOnlyKeys("PartitionKey", "RowKey", "Active", "Email", "Visits", "Tags")
        .containsEntry("Visits", 3);
    assertThat(codec.read(entity))
        .usingRecursiveComparison()
        .ignoringFields("name")
        .isEqualTo(bean);
    assertThat(codec.read(entity).getName()).isEqualTo("nobody");
  }

  @Test
  void anAbsentPropertyLeavesTheDefaultOfABean() {
    Bean read = EntityCodec.of(Bean.class).read(new TableEntity("Sales", "1"));
    assertThat(read.visits).isEqualTo(1);
    assertThat(read.tags).containsExactly("none");
  }

  record Secret(String partitionKey, String rowKey, @Encrypted @Name("Ssn") String number) {}

  @Test
  void aCodecListsItsPropertiesAndTheEncryptedOnes() {
    EntityCodec<Secret> codec = EntityCodec.of(Secret.class);
    assertThat(codec.encryptedProperties()).containsExactly("Ssn");
    assertThat(codec.properties())
        .containsExactly(Map.entry("number", new MappedProperty("Ssn", String.class, false)));
    assertThat(EntityCodec.of(Everything.class).properties().get("maybe"))
        .isEqualTo(new MappedProperty("Maybe", Integer.class, true));
  }

  @Test
  void typesThatCannotBeMappedAreRejectedWithAdvice() {
    record NoKey(String partitionKey, String name) {}
    rejects(NoKey.class, "NoKey has no RowKey; mark a String member with @RowKey");
    record TwoKeys(String partitionKey, String rowKey, @RowKey String id) {}
    rejects(TwoKeys.class, "TwoKeys.id is the same part of the entity as");
    record NumberKey(String partitionKey, int rowKey) {}
    rejects(NumberKey.class, "NumberKey.rowKey is the row key and must be a String");
    record Amount(String partitionKey, String rowKey, BigDecimal amount) {}
    rejects(
        Amount.class,
        "Amount.amount is a BigDecimal, which tables have no type for; mark it @Json");
    record Lists(String partitionKey, String rowKey, List<String> names) {}
    rejects(Lists.class, "Lists.names is a java.util.List<java.lang.String>");
    record Dropped(String partitionKey, String rowKey, @Ignored String cache) {}
    rejects(Dropped.class, "Dropped.cache is @Ignored and therefore null after a read");
    record Taken(String partitionKey, String rowKey, String timestamp) {}
    rejects(Taken.class, "would be the property Timestamp", "mark it @Timestamp");
    record Odata(String partitionKey, String rowKey, @Name("odata.id") String id) {}
    rejects(Odata.class, "Odata.id would be the property odata.id");
    record Same(String partitionKey, String rowKey, String name, @Name("Name") String other) {}
    rejects(Same.class, "Same.other would be the property Name, which exists already");
    record Hidden(String partitionKey, String rowKey, @Encrypted int pin) {}
    rejects(Hidden.class, "Hidden.pin is @Encrypted and must be a String");
    rejects(PlainInterface.class, "PlainInterface must be a record, a sealed type or a class");
    rejects(NoSuitableConstructor.class, "no constructor without parameters");
    rejects(Integer.class, "java.lang.Integer cannot be accessed; open its package");
  }

  interface PlainInterface {}

  static class NoSuitableConstructor {
    NoSuitableConstructor(@SuppressWarnings("unused") int number) {}
  }

  private static void rejects(Class<?> type, String... parts) {
    assertThatThrownBy(() -> EntityCodec.of(type))
        .isInstanceOf(MappingFailure.class)
        .message()
        .contains(parts);
  }
}
