package io.lazuli.client.halt;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.halt.Journal.End;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.Batch;
import io.lazuli.client.table.Condition;
import io.lazuli.client.table.Table;
import io.lazuli.client.table.Write;
import java.util.List;
import java.util.stream.Collectors;

/** Counters that several processes update, and pairs of entities that a batch inserts. */
record TableWorkload(World world) implements Workload {
  private static final List<String> COUNTERS = List.of("x", "y");

  record Row(@PartitionKey String partition, @RowKey String row, long count) {}

  private Table<Row> table(TestClient client) {
    return Table.of(client.table(world.table()), Row.class);
  }

  @Override
  public void prepare(TestClient live) {
    COUNTERS.forEach(name -> table(live).insert(new Row("counters", name, 0)));
  }

  @Override
  public Actor actor(TestClient client, Journal journal) {
    Table<Row> table = table(client);
    return random -> {
      String id = Long.toHexString(random.nextLong());
      String counter = COUNTERS.get(random.nextInt(2));
      switch (random.nextInt(4)) {
        case 0 -> journal.attempt("pair " + id, () -> table.batch(pair(id)));
        case 1 -> journal.attempt("upsert " + id, () -> table.upsertReplace(new Row("u", id, 1)));
        default -> journal.attempt("add " + counter, () -> add(table, counter));
      }
    };
  }

  private static Batch<Row> pair(String id) {
    return Batch.of(
        Write.insert(new Row("pairs", id + "-1", 1)),
        Write.insert(new Row("pairs", id + "-2", 1)),
        Write.upsertReplace(new Row("pairs", "last", 1)));
  }

  private static void add(Table<Row> table, String counter) {
    table.update(
        new EntityKey("counters", counter),
        old -> new Row(old.partition(), old.row(), old.count() + 1));
  }

  @Override
  public void check(TestClient live, History history) {
    Table<Row> table = table(live);
    for (String counter : COUNTERS) {
      assertThat(table.find(new EntityKey("counters", counter)).orElseThrow().count())
          .as("counter %s", counter)
          .isBetween(history.atLeast("add", counter), history.atMost("add", counter));
    }
    assertThat(table.query(Query.partition("u")).map(Row::row))
        .containsAll(history.words("upsert", End.DONE));
    List<String> rows = table.query(Query.partition("pairs")).map(Row::row).toList();
    assertThat(rows)
        .containsAll(history.words("pair", End.DONE).stream().map(id -> id + "-1").toList());
    assertThat(ids(rows, "-1")).as("both entities of each pair").isEqualTo(ids(rows, "-2"));
    table.deleteIfExists(new EntityKey("pairs", "last"));
    table.replace(new Row("counters", "x", 0), Condition.any());
  }

  private static List<String> ids(List<String> rows, String end) {
    return rows.stream()
        .filter(row -> row.endsWith(end))
        .map(row -> row.substring(0, row.length() - end.length()))
        .collect(Collectors.toList());
  }
}
