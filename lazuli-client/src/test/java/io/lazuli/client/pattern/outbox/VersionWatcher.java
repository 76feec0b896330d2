package io.lazuli.client.pattern.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.data.tables.models.TableEntity;
import io.lazuli.client.TestAccount;
import io.lazuli.client.fault.TestClient;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;

/** Reads all copies repeatedly, and fails when the version of one of them decreases. */
final class VersionWatcher implements Callable<Void> {
  private final TestClient client;
  private final IndexedEmployees world;
  private final AtomicBoolean done;
  private final Map<String, Long> newest = new HashMap<>();

  VersionWatcher(IndexedEmployees world, TestAccount account, AtomicBoolean done) {
    this.client = TestClient.of(account);
    this.world = world;
    this.done = done;
  }

  @Override
  public Void call() {
    while (!done.get()) {
      client.table(world.table()).listEntities().toStream().forEach(this::look);
      client.table(world.idTable()).listEntities().toStream().forEach(this::look);
    }
    return null;
  }

  private void look(TableEntity entity) {
    String place = entity.getPartitionKey() + "/" + entity.getRowKey();
    long version = (Long) entity.getProperty("LazuliVersion");
    assertThat(version).as(place).isGreaterThanOrEqualTo(newest.getOrDefault(place, 0L));
    newest.put(place, version);
  }
}
