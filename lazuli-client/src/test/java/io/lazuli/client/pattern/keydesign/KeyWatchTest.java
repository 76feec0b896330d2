package io.lazuli.client.pattern.keydesign;

import static io.lazuli.client.query.Filter.property;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.data.tables.TableAsyncClient;
import com.azure.data.tables.TableClient;
import com.azure.data.tables.TableServiceAsyncClient;
import com.azure.data.tables.TableServiceClientBuilder;
import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.NotRehearsed;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.pattern.keydesign.Finding.Level;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.Batch;
import io.lazuli.client.table.Condition;
import io.lazuli.client.table.Table;
import io.lazuli.client.table.Write;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class KeyWatchTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private static final String TABLE = "Events";

  private final SetClock clock = new SetClock();
  private final KeyWatch watch = new KeyWatch(clock);
  private final Random random = new Random(19);

  /** A clock that a test sets. */
  private static final class SetClock extends Clock {
    private long millis = 1_000_000_020_000L;

    @Override
    public long millis() {
      return millis;
    }

    @Override
    public Instant instant() {
      return Instant.ofEpochMilli(millis);
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  @Test
  void insertsAtTheEndAreAnAppendAfterThreeMinutes() {
    assertThat(findingsAfter(3, 30, i -> "%08d".formatted(i / 100)))
        .as("the first minute only learns the ends")
        .isEmpty();
    assertThat(findingsAfter(1, 30, i -> "%08d".formatted(90 + i / 100)))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.diagnosis()).isEqualTo(Diagnosis.APPEND);
              assertThat(finding.level()).isEqualTo(Level.ADVICE);
              assertThat(finding.fact()).contains("of 30 inserts/s go to the last partition");
            });
    clock.millis += 5 * 60_000;
    assertThat(watch.findings(TABLE)).as("the load is over").isEmpty();
  }

  @Test
  void insertsAtTheStartAreAPrepend() {
    assertThat(findingsAfter(4, 30, i -> "%08d".formatted(1_000_000 - i / 100)))
        .extracting(Finding::diagnosis)
        .containsExactly(Diagnosis.PREPEND);
  }

  @Test
  void anAppendIsAWarningAfterHalfAnHour() {
    assertThat(findingsAfter(36, 20, i -> "%08d".formatted(i / 100)))
        .extracting(Finding::level)
        .containsExactly(Level.WARNING);
  }

  @Test
  void refusedRequestsMakeAFindingFail() {
    for (int minute = 0; minute < 4; minute++) {
      watch.seeStatus(upsert("%08d".formatted(minute * 18)), 503);
      minute(30, i -> "%08d".formatted(i / 100), minute * 1_800);
    }
    assertThat(watch.findings(TABLE)).extracting(Finding::level).containsExactly(Level.FAILING);
  }

  @Test
  void aBusyPartitionIsHot() {
    assertThat(findingsAfter(4, 60, i -> random.nextInt(10) < 9 ? "m" : "p" + random.nextInt(99)))
        .singleElement()
        .satisfies(finding -> assertThat(finding.diagnosis()).isEqualTo(Diagnosis.HOT_PARTITION));
  }

  @Test
  void loadThatIsSpreadHasNoFinding() {
    assertThat(findingsAfter(5, 60, i -> "p" + random.nextInt(1_000))).isEmpty();
  }

  @Test
  void aSmallLoadAtTheEndHasNoFinding() {
    assertThat(findingsAfter(5, 19, "%08d"::formatted)).isEmpty();
  }

  @Test
  void onePartitionThatIsFarFromFullHasNoFinding() {
    assertThat(findingsAfter(5, 60, i -> "one")).isEmpty();
  }

  @Test
  void queriesOfManyPartitionsAtOnceAreAWideFanOut() {
    for (int burst = 0; burst < 11; burst++) {
      for (int i = 0; i < 200; i++) {
        watch.see(query("PartitionKey eq 'employee%d' and Age gt %d".formatted(i, i)));
      }
      clock.millis += 5_000;
    }
    assertThat(watch.findings(TABLE))
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.diagnosis()).isEqualTo(Diagnosis.FAN_OUT);
              assertThat(finding.fact())
                  .contains("PartitionKey eq ? and Age gt ?", "11 times in five minutes");
            });
    clock.millis += 300_000;
    assertThat(watch.findings(TABLE)).as("the bursts are over").isEmpty();
  }

  @Test
  void fewPartitionsAtOnceAreNoFanOut() {
    for (int second = 0; second < 60; second++) {
      for (int i = 0; i < 20; i++) {
        watch.see(query("PartitionKey eq 'employee%d'".formatted(second * 20 + i)));
      }
      clock.millis += 1_000;
    }
    assertThat(watch.findings(TABLE)).isEmpty();
  }

  @Test
  void theNumberOfPartitionsIsEstimated() {
    assertThat(FanOutBursts.estimate(0)).isZero();
    assertThat(FanOutBursts.estimate(34)).isLessThan(50);
    assertThat(FanOutBursts.estimate(35)).isGreaterThanOrEqualTo(50);
    assertThat(FanOutBursts.estimate(64)).isBetween(250L, 400L);
  }

  @Test
  void manyRequestsAreSampledAndManyTablesForgotten() {
    for (int second = 0; second < 240; second++) {
      int burst = second % 60 < 2 ? 6_000 : 1;
      for (int i = 0; i < burst; i++) {
        watch.see(upsert("%08d".formatted(second * 100 + i / 100)));
      }
      assertThat(watch.sampledOneOf()).isBetween(burst == 1 ? 1L : 4L, 8L);
      clock.millis += 1_000;
    }
    assertThat(watch.findings(TABLE))
        .singleElement()
        .satisfies(finding -> assertThat(finding.diagnosis()).isEqualTo(Diagnosis.APPEND))
        .satisfies(finding -> assertThat(finding.fact()).containsPattern("(19|20)\\d inserts/s"));
    for (int table = 0; table < 400; table++) {
      watch.see(request(HttpMethod.PUT, "T" + table + "(PartitionKey='p',RowKey='r')"));
    }
    assertThat(watch.tables()).hasSize(64).contains("T399").doesNotContain(TABLE);
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void theRequestsOfTheSdkAreUnderstood() {
    List<SeenRequest> seen = new ArrayList<>();
    TableServiceAsyncClient service =
        ACCOUNT.tables(
            (context, next) -> {
              SeenRequest.of(context.getHttpRequest()).ifPresent(seen::add);
              return next.process();
            });
    String name = TestAccount.uniqueName("watched");
    service.createTable(name).block();
    TableAsyncClient client = service.getTableClient(name);
    Table<TableEntity> table = Table.of(client, EntityCodec.dynamic());
    String partition = "O'Neil & \"Söhne\" 100% +";
    table.insert(entity(partition, "1"));
    table.upsertReplace(entity(partition, "2"));
    table.merge(entity(partition, "2"), Condition.any());
    table.find(new EntityKey(partition, "1"));
    table.batch(
        Batch.of(Write.insert(entity(partition, "3")), Write.insert(entity(partition, "4"))));
    table.batch(Batch.of(Write.upsertMerge(entity(partition, "3"))));
    table.batch(Batch.of(Write.replace(entity(partition, "3"), Condition.any())));
    assertThat(
            table.query(Query.partition(partition).and(property("Name").eq("PartitionKey eq 'x'"))))
        .isEmpty();
    assertThat(seen).allMatch(one -> one.table().equals(name));
    assertThat(seen)
        .extracting(SeenRequest::partitions)
        .startsWith(Set.of(partition), Set.of(partition), Set.of(partition), Set.of(partition));
    assertThat(seen)
        .extracting(SeenRequest::inserts)
        .containsExactly(1L, 1L, 0L, 0L, 2L, 1L, 0L, 0L);
    assertThat(seen.get(4).entities()).isEqualTo(2);
    assertThat(seen.get(7).shape()).contains("PartitionKey eq ?", "Name eq ?").doesNotContain("O'");
    assertThat(table.query(Query.all())).as("the bodies are not consumed").hasSize(4);
  }

  @Test
  void clientsOfBothKindsAreWatched() {
    KeyWatch watch = KeyWatch.create();
    TableServiceClientBuilder builder =
        new TableServiceClientBuilder()
            .connectionString(ACCOUNT.connectionString())
            .addPolicy(watch);

    String name = TestAccount.uniqueName("watched");
    TableClient blocking = builder.buildClient().createTable(name);
    blocking.createEntity(entity("a", "1"));
    Table.of(builder.buildAsyncClient().getTableClient(name), EntityCodec.dynamic())
        .insert(entity("b", "2"));
    List<Finding> findings = watch.findings(name);

    assertThat(findings).isEmpty();
    assertThat(watch.tables()).containsExactly(name);
  }

  private List<Finding> findingsAfter(int minutes, int perSecond, IntFunction<String> partition) {
    for (int minute = 0; minute < minutes; minute++) {
      minute(perSecond, partition, minute * 60 * perSecond);
    }
    return watch.findings(TABLE);
  }

  private void minute(int perSecond, IntFunction<String> partition, int first) {
    for (int second = 0; second < 60; second++) {
      for (int i = 0; i < perSecond; i++) {
        watch.see(upsert(partition.apply(first + second * perSecond + i)));
      }
      clock.millis += 1_000;
    }
  }

  private static HttpRequest upsert(String partition) {
    return request(HttpMethod.PUT, TABLE + "(PartitionKey='" + partition + "',RowKey='r')");
  }

  private static HttpRequest query(String filter) {
    String encoded = URLEncoder.encode(filter, StandardCharsets.UTF_8);
    return request(HttpMethod.GET, TABLE + "()?$filter=" + encoded);
  }

  private static HttpRequest request(HttpMethod method, String path) {
    return new HttpRequest(method, "http://127.0.0.1:10002/devstoreaccount1/" + path)
        .setHeader(HttpHeaderName.ACCEPT, "application/json");
  }

  private static TableEntity entity(String partition, String row) {
    return new TableEntity(partition, row).addProperty("Name", "\"PartitionKey\":\"x\"");
  }
}
