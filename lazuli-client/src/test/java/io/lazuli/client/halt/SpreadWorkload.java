package io.lazuli.client.halt;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.halt.Journal.End;
import io.lazuli.client.pattern.spread.KeySpreader;
import io.lazuli.client.pattern.spread.Spread;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.Table;
import io.lazuli.client.table.Write;
import java.util.List;
import java.util.stream.Stream;

/** Events in buckets. Half of the processes already have more buckets. */
record SpreadWorkload(World world) implements Workload {
  private static final KeySpreader BEFORE = KeySpreader.of(3);
  private static final KeySpreader AFTER = BEFORE.grownTo(5);

  record Event(@PartitionKey String partition, @RowKey String time, String employee) {}

  private Table<Event> events(TestClient client) {
    return Table.of(client.table(world.table()), Event.class);
  }

  private static Event event(KeySpreader spreader, String id) {
    return new Event(spreader.partitionKey("Sales", id), "t" + id, id);
  }

  @Override
  public Actor actor(TestClient client, Journal journal) {
    Table<Event> events = events(client);
    Spread<Event> spread = Spread.of(events, AFTER);
    return random -> {
      KeySpreader spreader = random.nextBoolean() ? BEFORE : AFTER;
      String id = Long.toHexString(random.nextLong());
      switch (random.nextInt(4)) {
        case 0 -> assertThat(spread.query("Sales", Query.all().top(5))).isNotNull();
        case 1 ->
            journal.attempt(
                "insert2 " + id,
                () ->
                    events.inChunks(
                        Stream.of(id, id + "x")
                            .map(each -> Write.insert(event(spreader, each)))
                            .toList(),
                        2));
        default -> journal.attempt("insert " + id, () -> events.insert(event(spreader, id)));
      }
    };
  }

  @Override
  public void check(TestClient live, History history) {
    Spread<Event> spread = Spread.of(events(live), AFTER);
    List<Event> all = spread.query("Sales", Query.all()).toList();
    assertThat(all).extracting(Event::time).isSorted().doesNotHaveDuplicates();
    List<String> done =
        Stream.concat(
                history.words("insert", End.DONE).stream(),
                history.words("insert2", End.DONE).stream().flatMap(id -> Stream.of(id, id + "x")))
            .toList();
    assertThat(all).extracting(Event::employee).containsAll(done);
    assertThat(done).allMatch(id -> spread.find("Sales", id, "t" + id).isPresent());
  }
}
