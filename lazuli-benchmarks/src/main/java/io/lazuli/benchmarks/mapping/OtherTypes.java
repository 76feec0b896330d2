package io.lazuli.benchmarks.mapping;

import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.entity.EntityCodec;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Types that a program maps alongside employees. They have other properties, of all types, some of
 * which are absent. Once they are mapped often, the virtual machine knows many receivers and both
 * directions of every branch of the shared code.
 */
final class OtherTypes {
  private static final int ROUNDS = 20_000;

  private static final OffsetDateTime TIME = OffsetDateTime.parse("2014-08-22T00:32:46.1234567Z");

  private static final List<Class<?>> TYPES =
      List.of(
          Department.class,
          Review.class,
          Login.class,
          Picture.class,
          Counter.class,
          Contact.class,
          Shift.class,
          Account.class);

  record Department(String partitionKey, String rowKey, String name, int employees, long budget) {}

  record Review(
      String partitionKey, String rowKey, Optional<Integer> rating, @Nullable String comments) {}

  record Login(String partitionKey, String rowKey, Instant at, OffsetDateTime until, UUID device) {}

  record Picture(String partitionKey, String rowKey, byte[] bytes, Optional<String> title) {}

  record Counter(String partitionKey, String rowKey, double value, @Nullable Long limit) {}

  record Contact(
      String partitionKey, String rowKey, Optional<String> email, Optional<Boolean> active) {}

  record Shift(String partitionKey, String rowKey, DayOfWeek day, boolean night) {}

  /** A bean. */
  public static class Account {
    public String partitionKey = "";
    public String rowKey = "";
    public int visits;
    public @Nullable String name;
    public boolean active;
  }

  private OtherTypes() {}

  /** Reads and writes each type often. Returns a number that depends on all results. */
  static int map() {
    int sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
      TableEntity entity = entity(round % 3 != 0);
      for (Class<?> type : TYPES) {
        sum += mapped(EntityCodec.of(type), entity);
      }
    }
    return sum;
  }

  private static <T> int mapped(EntityCodec<T> codec, TableEntity entity) {
    return codec.write(codec.read(entity)).getProperties().size();
  }

  private static TableEntity entity(boolean complete) {
    TableEntity entity =
        new TableEntity("Sales", "000223")
            .addProperty("Name", "Sales")
            .addProperty("Employees", 12)
            .addProperty("Budget", 1_000_000_000_000L)
            .addProperty("At", TIME)
            .addProperty("Until", TIME)
            .addProperty("Device", new UUID(1, 2))
            .addProperty("Bytes", new byte[] {1, 2, 3})
            .addProperty("Value", 1.5)
            .addProperty("Day", "FRIDAY")
            .addProperty("Night", true)
            .addProperty("Visits", 3);
    if (complete) {
      entity
          .addProperty("Rating", 4)
          .addProperty("Comments", "Fine work.")
          .addProperty("Title", "Jun")
          .addProperty("Limit", 1)
          .addProperty("Email", "jun@contoso.com")
          .addProperty("Active", true);
    }
    return entity;
  }
}
