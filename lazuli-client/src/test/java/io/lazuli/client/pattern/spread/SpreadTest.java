package io.lazuli.client.pattern.spread;

import static io.lazuli.client.query.Filter.rowKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.client.NotRehearsed;
import io.lazuli.client.TestAccount;
import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.Table;
import io.lazuli.client.table.Write;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SpreadTest {
  @RegisterExtension static final TestAccount ACCOUNT = new TestAccount();

  record Event(@PartitionKey String partition, @RowKey String time, String employee) {}

  private final TestClient client = TestClient.of(ACCOUNT);
  private final Table<Event> table = Table.of(client.table(client.newTable()), Event.class);

  @Test
  void bucketsAreStable() {
    KeySpreader spreader = KeySpreader.of(16);
    // CRC-32 of "123456789" is cbf43926.
    assertThat(spreader.partitionKey("Sales", "123456789")).isEqualTo("06_Sales");
    assertThat(spreader.partitionKeys("Sales"))
        .hasSize(16)
        .startsWith("00_Sales", "01_Sales")
        .endsWith("15_Sales");
  }

  @Test
  void consecutiveIdsSpreadEvenly() {
    for (int buckets : new int[] {2, 7, 16, 100}) {
      KeySpreader spreader = KeySpreader.of(buckets);
      Map<String, Long> loads =
          IntStream.range(0, 20_000)
              .mapToObj(i -> spreader.partitionKey("p", String.format(Locale.ROOT, "%06d", i)))
              .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
      assertThat(loads).hasSize(buckets);
      assertThat(loads.values())
          .allSatisfy(load -> assertThat(load * buckets).isBetween(14_000L, 26_000L));
    }
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void eventsOfADepartmentAreReadInTheirOrder() {
    List<Write<Event>> events =
        IntStream.range(0, 50)
            .mapToObj(i -> event(KeySpreader.of(4), i))
            .map(Write::insert)
            .toList();
    table.inChunks(events, 4);
    // snippet
    KeySpreader spreader = KeySpreader.of(4);
    String partition = spreader.partitionKey("Sales", "000123");
    table.insert(new Event(partition, "2026-07-31T09:00", "000123"));
    Spread<Event> spread = Spread.of(table, spreader);
    List<Event> inOrder = spread.query("Sales", Query.all()).toList();
    // end
    assertThat(inOrder).hasSize(51).extracting(Event::time).isSorted();
    assertThat(inOrder).extracting(Event::partition).contains("00_Sales", "01_Sales", "02_Sales");
    assertThat(spread.find("Sales", "000123", "2026-07-31T09:00")).isPresent();
    assertThat(spread.query("Marketing", Query.all())).isEmpty();
    assertThat(client.count(() -> spread.query("Sales", Query.all()).forEach(event -> {})))
        .as("one for each bucket")
        .isEqualTo(4);
    assertThat(client.count(() -> spread.find("Sales", "e3", "t0003"))).isEqualTo(1);
    // This query comes last: it ends before all of its requests do, and they would be counted.
    assertThat(spread.query("Sales", Query.where(rowKey().lt("t0010")).top(3)))
        .extracting(Event::time)
        .containsExactly("2026-07-31T09:00", "t0000", "t0001");
  }

  @Test
  void segmentsAreMergedToo() {
    List<Write<Event>> events =
        IntStream.range(0, 60)
            .mapToObj(i -> event(KeySpreader.of(3), i))
            .map(Write::insert)
            .toList();
    table.inChunks(events, 4);
    assertThat(Spread.of(table, KeySpreader.of(3)).query("Sales", Query.all().segmentSize(7)))
        .extracting(Event::employee)
        .containsExactlyElementsOf(IntStream.range(0, 60).mapToObj(i -> "e" + i).toList());
  }

  @Test
  @NotRehearsed(NotRehearsed.COUNTS_REQUESTS)
  void entitiesWrittenWithFewerBucketsAreFound() {
    KeySpreader before = KeySpreader.of(3);
    KeySpreader after = before.grownTo(5).grownTo(8);
    for (int i = 0; i < 20; i++) {
      table.insert(event(i < 10 ? before : after, i));
    }
    Spread<Event> spread = Spread.of(table, after);
    assertThat(spread.query("Sales", Query.all()))
        .extracting(Event::employee)
        .containsExactlyElementsOf(IntStream.range(0, 20).mapToObj(i -> "e" + i).toList());
    for (int i = 0; i < 20; i++) {
      Event event = event(i < 10 ? before : after, i);
      assertThat(spread.find("Sales", event.employee(), event.time())).contains(event);
    }
    assertThat(client.count(() -> spread.find("Sales", "e15", "t0015"))).isEqualTo(1);
    assertThat(client.count(() -> spread.find("Sales", "nobody", "t")))
        .isEqualTo(after.candidates("Sales", "nobody").size());
  }

  @Test
  void bucketsDoNotShrink() {
    assertThatThrownBy(() -> KeySpreader.of(8).grownTo(8))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> KeySpreader.of(8).grownTo(4))
        .isInstanceOf(IllegalArgumentException.class);
    for (int count : new int[] {-1, 0, 1, 101}) {
      assertThatThrownBy(() -> KeySpreader.of(count)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  private static Event event(KeySpreader spreader, int i) {
    String employee = "e" + i;
    return new Event(
        spreader.partitionKey("Sales", employee), String.format(Locale.ROOT, "t%04d", i), employee);
  }
}
