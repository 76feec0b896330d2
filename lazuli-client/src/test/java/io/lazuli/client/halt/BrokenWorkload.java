package io.lazuli.client.halt;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.data.tables.TableAsyncClient;
import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.fault.TestClient;

/** Pairs of entities that should both exist, but are written one after the other. */
record BrokenWorkload(World world) implements Workload {
  @Override
  public Actor actor(TestClient client, Journal journal) {
    TableAsyncClient table = client.table(world.table());
    return random -> {
      String id = Long.toHexString(random.nextLong());
      table.upsertEntity(new TableEntity("first", id)).block();
      table.upsertEntity(new TableEntity("second", id)).block();
    };
  }

  @Override
  public void check(TestClient live, History history) {
    assertThat(rows(live, "second")).as("pairs").isEqualTo(rows(live, "first"));
  }

  private long rows(TestClient live, String partition) {
    return live.table(world.table())
        .listEntities()
        .filter(entity -> entity.getPartitionKey().equals(partition))
        .toStream()
        .count();
  }
}
