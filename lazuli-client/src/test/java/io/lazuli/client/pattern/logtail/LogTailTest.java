package io.lazuli.client.pattern.logtail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.client.NotRehearsed;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.fault.Faults;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.table.Table;
import io.lazuli.client.table.Write;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Mono;

class LogTailTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private static final Instant NOON = Instant.parse("2026-07-31T12:00:00Z");

  record Claim(@PartitionKey String employee, @RowKey String id, int amount) {}

  private final TestClient client = TestClient.of(ACCOUNT);
  private final LogKeys keys = new LogKeys(Clock.systemUTC(), new Random(7));

  @Test
  void theDigitsAreThoseOfDotNet() {
    assertThat(InvertedTicks.of(Instant.parse("9999-12-31T23:59:59.9999999Z")))
        .isEqualTo("0000000000000000000");
    assertThat(InvertedTicks.of(Instant.parse("0001-01-01T00:00:00Z")))
        .isEqualTo("3155378975999999999");
    // new DateTime(1970, 1, 1).Ticks is 621355968000000000.
    assertThat(InvertedTicks.of(Instant.EPOCH)).isEqualTo("2534023007999999999");
    assertThatThrownBy(() -> InvertedTicks.of(Instant.parse("0000-12-31T23:59:59Z")))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> InvertedTicks.of(Instant.parse("+10000-01-01T00:00:00Z")))
        .isInstanceOf(IllegalArgumentException.class);
    for (String text : List.of("", "123", "abcdefghijklmnopqrs", "9999999999999999999")) {
      assertThatThrownBy(() -> InvertedTicks.time(text))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aKeyHasItsTimeAndLaterKeysSortFirst() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 5_000; i++) {
      Instant one = Instant.ofEpochSecond(random.nextInt(), random.nextInt(10_000_000) * 100L);
      Instant other = one.plusNanos(100L * (random.nextInt(20_000_001) - 10_000_000));
      assertThat(InvertedTicks.time(keys.at(one))).as("seed %d", seed).isEqualTo(one);
      assertThat(Integer.signum(InvertedTicks.of(one).compareTo(InvertedTicks.of(other))))
          .as("seed %d", seed)
          .isEqualTo(-Integer.signum(one.compareTo(other)));
    }
  }

  @Test
  void keysOfOneTickDifferAndTheNewestSortsFirst() {
    LogKeys elsewhere = new LogKeys(Clock.systemUTC(), new Random(8));
    List<String> made = IntStream.range(0, 300).mapToObj(i -> keys.at(NOON)).toList();
    List<String> others = IntStream.range(0, 300).mapToObj(i -> elsewhere.at(NOON)).toList();
    assertThat(Stream.concat(made.stream(), others.stream())).doesNotHaveDuplicates();
    assertThat(made).isSortedAccordingTo((one, other) -> other.compareTo(one));
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void theLastTenClaimsAreOneRequest() {
    Table<Claim> claims = Table.of(client.table(client.newTable()), Claim.class);
    // snippet
    LogKeys keys = new LogKeys(Clock.systemUTC(), new Random());
    for (int amount = 1; amount <= 12; amount++) {
      claims.insert(new Claim("000123", keys.next(), amount));
    }
    List<Claim> lastTen = LogTail.of(claims).latest("000123", 10);
    // end
    assertThat(lastTen).extracting(Claim::amount).containsExactly(12, 11, 10, 9, 8, 7, 6, 5, 4, 3);
    assertThat(client.count(() -> LogTail.of(claims).latest("000123", 10))).isEqualTo(1);
  }

  @Test
  void aRangeOfTimeIncludesItsBeginningAndNotItsEnd() {
    Table<Claim> claims = hourly(client.newTable(), client, 5);
    LogTail<Claim> tail = LogTail.of(claims);
    assertThat(tail.since("p", NOON.plus(Duration.ofHours(3))))
        .extracting(Claim::amount)
        .containsExactly(4, 3);
    assertThat(tail.since("p", NOON.plus(Duration.ofHours(3)).plusNanos(100)))
        .extracting(Claim::amount)
        .containsExactly(4);
    assertThat(tail.between("p", NOON.plus(Duration.ofHours(1)), NOON.plus(Duration.ofHours(3))))
        .extracting(Claim::amount)
        .containsExactly(2, 1);
  }

  @Test
  void oldEntitiesExpireWhereverTheClientIsStopped() {
    Instant time = NOON.plus(Duration.ofHours(210));
    int requests =
        Faults.in(
                ACCOUNT,
                maker -> {
                  String table = maker.newTable();
                  hourly(table, maker, 215);
                  return table;
                })
            .forEveryCut(
                (table, mortal) -> tail(table, mortal).expire("p", time),
                (table, live) -> tail(table, live).expire("p", time),
                (table, live) ->
                    assertThat(tail(table, live).latest("p", 300))
                        .extracting(Claim::amount)
                        .containsExactly(214, 213, 212, 211, 210));
    if (!ACCOUNT.isRehearsed()) {
      assertThat(requests).as("two for each 100, and one that finds nothing").isEqualTo(2 * 3 + 1);
    }
  }

  @Test
  void twoClientsMayExpireConcurrently() {
    String table = client.newTable();
    hourly(table, client, 450);
    Mono<Long> one = tail(table, client).async().expire("p", NOON.plus(Duration.ofHours(445)));
    assertThat(Mono.zip(one, one, Long::sum).block()).isEqualTo(445L);
    assertThat(tail(table, client).latest("p", 300)).hasSize(5);
  }

  private static LogTail<Claim> tail(String table, TestClient client) {
    return LogTail.of(Table.of(client.table(table), Claim.class));
  }

  private Table<Claim> hourly(String name, TestClient client, int count) {
    Table<Claim> table = Table.of(client.table(name), Claim.class);
    List<Write<Claim>> claims =
        IntStream.range(0, count)
            .mapToObj(hour -> claim(hour, NOON.plus(Duration.ofHours(hour))))
            .map(Write::upsertReplace)
            .toList();
    table.inChunks(claims, 1);
    return table;
  }

  private Claim claim(int amount, Instant time) {
    return new Claim("p", keys.at(time), amount);
  }
}
