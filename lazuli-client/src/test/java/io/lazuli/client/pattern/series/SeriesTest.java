package io.lazuli.client.pattern.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.FailsOnAzurite;
import io.lazuli.client.MadeOnce;
import io.lazuli.client.NotRehearsed;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.fault.Faults;
import io.lazuli.client.fault.TestClient;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Flux;

class SeriesTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  private static final EntityKey KEY = new EntityKey("jonesj", "20260731");

  private final TestClient client = TestClient.of(ACCOUNT);
  private final String table = client.newTable();
  private final Series<Long> hours = hours(client, table);

  @Test
  void messagesOfADayAreCountedByTheHour() {
    // snippet
    Series<Long> messages = Series.of(client.table(table), Long.class, "Hour", 24);
    EntityKey today = new EntityKey("jonesj", "20260731");
    messages.set(today, 9, 14L);
    Series.add(messages, today, 10, 1);
    List<Long> perHour = messages.read(today).orElse(0L);
    // end
    assertThat(perHour).hasSize(24).startsWith(0L, 0L).contains(14L, 1L);
    Points<Long> points = messages.read(today);
    assertThat(points.at(9)).contains(14L);
    assertThat(points.at(8)).isEmpty();
    assertThat(points.values()).containsExactly(Map.entry(9, 14L), Map.entry(10, 1L));
    assertThat(points.toList()).hasSize(24).startsWith(Optional.empty(), Optional.empty());
    assertThat(points.count()).isEqualTo(24);
  }

  @Test
  void aSeriesThatIsNotThereHasNoPoints() {
    assertThat(hours.read(KEY).orElse(-1L)).isEqualTo(Collections.nCopies(24, -1L));
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void readingAndSettingAreOneRequestAndChangingTwo() {
    assertThat(client.count(() -> hours.set(KEY, Map.of(1, 1L, 2, 2L)))).isEqualTo(1);
    assertThat(client.count(() -> hours.read(KEY))).isEqualTo(1);
    assertThat(client.count(() -> Series.add(hours, KEY, 1, 5))).isEqualTo(2);
    assertThat(hours.read(KEY).values()).containsExactly(Map.entry(1, 6L), Map.entry(2, 2L));
  }

  @Test
  void otherPropertiesAreKept() {
    client
        .table(table)
        .createEntity(
            new TableEntity(KEY.partitionKey(), KEY.rowKey()).addProperty("Name", "Jones"))
        .block();
    hours.set(KEY, 0, 1L);
    Series.add(hours, KEY, 0, 1);
    assertThat(client.table(table).getEntity(KEY.partitionKey(), KEY.rowKey()).block())
        .satisfies(
            entity -> {
              assertThat(entity.getProperty("Name")).isEqualTo("Jones");
              assertThat(entity.getProperty("Hour000")).isEqualTo(2L);
            });
  }

  @Test
  @MadeOnce
  void severalWritersLoseNoChange() {
    Flux.range(0, 60)
        .flatMap(
            i ->
                i % 3 == 0
                    ? hours.async().set(KEY, 5 + i / 3 % 4, (long) i)
                    : AsyncSeries.add(hours.async(), KEY, i % 2, 1).then(),
            6)
        .blockLast();
    Points<Long> points = hours.read(KEY);
    assertThat(points.at(0).orElseThrow() + points.at(1).orElseThrow()).isEqualTo(40);
    assertThat(points.values()).containsOnlyKeys(0, 1, 5, 6, 7, 8);
  }

  @Test
  void aWriterThatIsOvertakenStartsOver() {
    hours.set(KEY, 0, 1L);
    AtomicInteger attempts = new AtomicInteger();
    Series<Long> slow =
        Series.of(
            ACCOUNT
                .tables(
                    (context, next) ->
                        context.getHttpRequest().getHttpMethod().toString().equals("PATCH")
                                && attempts.getAndIncrement() == 0
                            ? AsyncSeries.add(hours.async(), KEY, 0, 10).then(next.process())
                            : next.process())
                .getTableClient(table),
            Long.class,
            "Hour",
            24);
    assertThat(Series.add(slow, KEY, 0, 100)).isEqualTo(111);
    assertThat(attempts).hasValue(2);
  }

  @Test
  void aWriterThatIsStoppedChangesItsPointOrNothing() {
    int requests =
        Faults.in(
                ACCOUNT,
                maker -> {
                  String name = maker.newTable();
                  hours(maker, name).set(KEY, Map.of(0, 1L, 1, 1L));
                  return name;
                })
            .forEveryCut(
                (name, mortal) -> Series.add(hours(mortal, name), KEY, 0, 10),
                (name, live) -> hours(live, name).set(KEY, 2, 7L),
                (name, live) -> {
                  Points<Long> points = hours(live, name).read(KEY);
                  assertThat(points.at(0).orElseThrow()).isIn(1L, 11L);
                  assertThat(points.at(1)).contains(1L);
                  assertThat(points.at(2)).contains(7L);
                });
    assertThat(requests).isEqualTo(2);
  }

  @Test
  @FailsOnAzurite("returns doubles without a fraction as integers")
  void anEntityCanHaveTheMaximumNumberOfPoints() {
    Series<Double> series = Series.of(client.table(table), Double.class, "P", 252);
    Map<Integer, Double> all = new java.util.HashMap<>();
    for (int i = 0; i < 252; i++) {
      all.put(i, i / 2.0);
    }
    series.set(KEY, all);
    assertThat(series.read(KEY).values()).isEqualTo(all);
  }

  @Test
  void tooManyPointsAreRejectedWithAdvice() {
    assertThatThrownBy(() -> Series.of(client.table(table), Long.class, "P", 253))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("pattern.wide, P10")
        .hasMessageContaining("pattern.large, P11");
    assertThatThrownBy(() -> Series.of(client.table(table), Object.class, "P", 2))
        .isInstanceOf(IllegalArgumentException.class);
    for (int point : new int[] {-1, 24}) {
      assertThatThrownBy(() -> hours.set(KEY, point, 1L))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  private static Series<Long> hours(TestClient client, String table) {
    return Series.of(client.table(table), Long.class, "Hour", 24);
  }
}
