package io.lazuli.client.halt;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.pattern.wide.WideTable;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.Table;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Entities of one to three parts, whose properties all have the value that is their number; and one
 * entity of two parts with a counter in each.
 */
record WideWorkload(World world) implements Workload {
  private static final EntityKey COUNTED = new EntityKey("Sales", "counted");

  private WideTable<TableEntity> wide(TestClient client) {
    return WideTable.of(client.table(world.table()), EntityCodec.dynamic());
  }

  private static TableEntity entity(EntityKey key, int width, int value) {
    TableEntity entity = new TableEntity(key.partitionKey(), key.rowKey());
    for (int i = 0; i < width; i++) {
      entity.addProperty("P" + i, value);
    }
    return entity;
  }

  @Override
  public void prepare(TestClient live) {
    wide(live).insert(entity(COUNTED, 300, 0));
  }

  @Override
  public Actor actor(TestClient client, Journal journal) {
    WideTable<TableEntity> wide = wide(client);
    return random -> {
      EntityKey key = new EntityKey("Sales", "e" + random.nextInt(2));
      int width = 1 + random.nextInt(600);
      String counter = random.nextBoolean() ? "P0" : "P299";
      switch (random.nextInt(6)) {
        case 0 -> journal.attempt("insert", () -> wide.insert(entity(key, width, width)));
        case 1, 2 -> journal.attempt("put", () -> wide.upsertReplace(entity(key, width, width)));
        case 3 -> journal.attempt("delete", () -> wide.deleteIfExists(key));
        default ->
            journal.attempt(
                "add " + counter,
                () ->
                    wide.update(
                        COUNTED, old -> old.addProperty(counter, number(old, counter) + 1)));
      }
    };
  }

  private static int number(TableEntity entity, String property) {
    return (Integer) entity.getProperty(property);
  }

  @Override
  public void check(TestClient live, History history) {
    WideTable<TableEntity> wide = wide(live);
    for (String id : List.of("e0", "e1")) {
      Optional<TableEntity> found = wide.find(new EntityKey("Sales", id));
      int parts = found.map(WideWorkload::parts).orElse(0);
      assertThat(rows(live, id)).as("parts of %s", id).isEqualTo(parts);
    }
    TableEntity counted = wide.find(COUNTED).orElseThrow();
    for (String counter : List.of("P0", "P299")) {
      assertThat((long) number(counted, counter))
          .isBetween(history.atLeast("add", counter), history.atMost("add", counter));
    }
  }

  /** Checks that the entity is of one write, and returns the number of its parts. */
  private static int parts(TableEntity entity) {
    List<Object> values =
        entity.getProperties().entrySet().stream()
            .filter(property -> property.getKey().matches("P[0-9]+"))
            .map(Map.Entry::getValue)
            .toList();
    assertThat(values).containsOnly(values.size());
    return (values.size() + 249) / 250;
  }

  private long rows(TestClient live, String id) {
    return Table.of(live.table(world.table()), EntityCodec.dynamic())
        .query(Query.prefix("Sales", id + "~"))
        .count();
  }
}
