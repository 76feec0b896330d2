package io.lazuli.client.table;

import static io.lazuli.client.query.Filter.not;
import static io.lazuli.client.query.Filter.partitionKey;
import static io.lazuli.client.query.Filter.property;
import static io.lazuli.client.query.Filter.rowKey;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.data.tables.TableAsyncClient;
import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.FailsOnAzurite;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.query.Filter;
import io.lazuli.client.query.Query;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each literal, sent to the service, finds exactly the entity that was written with it. */
class LiteralsTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private static final List<Object> VALUES =
      List.of(
          "",
          "'",
          "''",
          "it's",
          "' or PartitionKey ne '",
          "a&b=c+d%20e#f?g/h\\i",
          "tab\tnew\nline",
          "Grüße, 世界, \uD83D\uDE00",
          true,
          false,
          0,
          Integer.MIN_VALUE,
          1L,
          Long.MIN_VALUE,
          Long.MAX_VALUE,
          2.0,
          -0.1,
          1e300,
          4.9e-324,
          Instant.parse("2013-08-22T01:12:22.1234567Z"),
          OffsetDateTime.parse("1999-12-31T23:59:59+05:30"),
          Instant.parse("1601-01-01T00:00:00Z"),
          new UUID(0, 0),
          UUID.fromString("c9da6455-213d-42c9-9a79-3e9149a57833"),
          new byte[0],
          new byte[] {0, 1, 127, (byte) 128, (byte) 255});

  private static Table<TableEntity> table;

  @BeforeAll
  static void writeOneEntityForEachValue() {
    TableAsyncClient client = ACCOUNT.tables().getTableClient(TestAccount.uniqueName("literals"));
    ACCOUNT.tables().createTableIfNotExists(client.getTableName()).block();
    table = Table.of(client, EntityCodec.dynamic());
    for (int i = 0; i < VALUES.size(); i++) {
      TableEntity entity = new TableEntity("values", String.valueOf(i));
      table.insert(entity.addProperty("Value", stored(VALUES.get(i))));
    }
  }

  /** Returns the value as a codec would write it. */
  private static Object stored(Object value) {
    return value instanceof Instant time ? time.atOffset(java.time.ZoneOffset.UTC) : value;
  }

  static Stream<Integer> indexes() {
    return Stream.iterate(0, i -> i + 1).limit(VALUES.size());
  }

  private static List<String> found(Filter filter) {
    return table.query(Query.where(filter)).map(TableEntity::getRowKey).toList();
  }

  @ParameterizedTest
  @MethodSource("indexes")
  @FailsOnAzurite("misreads literals of filters")
  void aLiteralFindsExactlyItsEntity(int index) {
    Filter isValue = property("Value").eq(VALUES.get(index));
    assertThat(found(isValue)).as(isValue.text()).containsExactly(String.valueOf(index));
  }

  @Test
  @FailsOnAzurite("misreads literals of filters")
  void comparisonsOrderValuesOfTheirType() {
    assertThat(found(property("Value").gt("it's"))).containsExactly("6");
    assertThat(found(property("Value").ge(true))).containsExactly("8");
    assertThat(found(property("Value").gt(Instant.EPOCH))).containsExactlyInAnyOrder("19", "20");
    assertThat(found(property("Value").ge(1e300))).containsExactly("17");
  }

  @Test
  void notAndOrMatchTheFilterTree() {
    Filter two = property("Value").eq("'").or(property("Value").eq(true));
    assertThat(found(partitionKey().eq("values").and(two))).containsExactlyInAnyOrder("1", "8");
    assertThat(found(partitionKey().eq("values").and(not(two)))).hasSize(VALUES.size() - 2);
    assertThat(found(partitionKey().eq("other").and(two))).isEmpty();
  }

  @Test
  void keysWithAnyCharactersAreFoundByKeyAndByPrefix() {
    List<String> rows = List.of("o'neil", "o'neil 世界", "o'neim", "o'neil\uD83D\uDE00", "ö%20");
    rows.forEach(row -> table.insert(new TableEntity("it's", row)));
    for (String row : rows) {
      assertThat(found(partitionKey().eq("it's").and(rowKey().eq(row)))).containsExactly(row);
    }
    assertThat(found(partitionKey().eq("it's").and(rowKey().startsWith("o'neil"))))
        .containsExactlyInAnyOrder("o'neil", "o'neil 世界", "o'neil\uD83D\uDE00");
    assertThat(found(partitionKey().startsWith("it"))).hasSize(5);
  }
}
