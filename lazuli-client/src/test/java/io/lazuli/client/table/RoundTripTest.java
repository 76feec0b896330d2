package io.lazuli.client.table;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.data.tables.TableAsyncClient;
import io.lazuli.client.FailsOnAzurite;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.entity.Json;
import io.lazuli.client.query.Query;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Random values of all types are read from the service as they were written. */
class RoundTripTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  record Everything(
      String partitionKey,
      String rowKey,
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
      @Json Map<String, List<Integer>> json) {}

  private static final int VALUES = 100;

  private static Table<Everything> table;

  @BeforeAll
  static void createTable() {
    TableAsyncClient client = ACCOUNT.tables().getTableClient(TestAccount.uniqueName("round"));
    client.createTable().block();
    table = Table.of(client, Everything.class);
  }

  @Test
  @FailsOnAzurite("returns some doubles as integers or as zero")
  void randomValuesRoundTrip() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    List<Everything> values = new ArrayList<>();
    for (int i = 0; i < VALUES; i++) {
      values.add(everything("%05d".formatted(i), random));
    }
    table.batch(new Batch<>(values.stream().map(Write::insert).toList()));
    List<Everything> read = table.query(Query.partition("p")).toList();
    assertThat(read).hasSameSizeAs(values);
    for (int i = 0; i < VALUES; i++) {
      assertThat(read.get(i))
          .as("seed %d", seed)
          .usingRecursiveComparison()
          .isEqualTo(values.get(i));
    }
  }

  @Test
  @FailsOnAzurite("returns some doubles as integers or as zero")
  void nonFiniteNumbersRoundTrip() {
    double[] odd = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -0.0, 5.0};
    for (int i = 0; i < odd.length; i++) {
      Measure of = new Measure("odd", "row" + i, odd[i]);
      Table<Measure> numbers = table.as(EntityCodec.of(Measure.class));
      numbers.insert(of);
      assertThat(numbers.find(new EntityKey("odd", "row" + i))).contains(of);
    }
  }

  record Measure(String partitionKey, String rowKey, double value) {}

  private static Everything everything(String row, Random random) {
    Instant instant = instant(random);
    byte[] binary = new byte[random.nextInt(40)];
    random.nextBytes(binary);
    return new Everything(
        "p",
        row,
        text(random),
        random.nextBoolean(),
        random.nextInt(),
        random.nextLong(),
        random.nextGaussian() * Math.pow(10, random.nextInt(40) - 20),
        instant,
        instant(random).atOffset(ZoneOffset.UTC),
        new UUID(random.nextLong(), random.nextLong()),
        binary,
        DayOfWeek.of(1 + random.nextInt(7)),
        random.nextBoolean() ? null : random.nextInt(),
        random.nextBoolean() ? Optional.empty() : Optional.of(random.nextLong()),
        Map.of(text(random), List.of(random.nextInt())));
  }

  /** Returns a time in a year that tables support, in whole ticks of 100 nanoseconds. */
  private static Instant instant(Random random) {
    long seconds = OffsetDateTime.parse("1601-01-01T00:00:00Z").toEpochSecond();
    int scale = (int) Math.pow(10, random.nextInt(8));
    int ticks = random.nextInt(10_000_000) / scale * scale;
    return Instant.ofEpochSecond(
        seconds + (random.nextLong() >>> 1) % 200_000_000_000L, ticks * 100L);
  }

  private static String text(Random random) {
    int[] alphabet = {
      'a', '\'', '"', '\\', '\n', '\t', ' ', 'é', 0x4E16, 0xFFFD, 0x1F600, '<', '&'
    };
    StringBuilder text = new StringBuilder();
    for (int length = random.nextInt(10); length > 0; length--) {
      text.appendCodePoint(alphabet[random.nextInt(alphabet.length)]);
    }
    return text.toString();
  }
}
