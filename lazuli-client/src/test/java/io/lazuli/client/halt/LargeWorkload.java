package io.lazuli.client.halt;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.storage.blob.models.BlobItem;
import io.lazuli.client.entity.EntityCodec;
import io.lazuli.client.entity.EntityKey;
import io.lazuli.client.entity.PartitionKey;
import io.lazuli.client.entity.RowKey;
import io.lazuli.client.fault.TestClient;
import io.lazuli.client.pattern.large.AsyncLargeTable;
import io.lazuli.client.pattern.large.LargeOptions;
import io.lazuli.client.pattern.large.LargeTable;
import io.lazuli.client.query.Query;
import io.lazuli.client.table.AsyncTable;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.awaitility.Awaitility;

/**
 * Portraits whose photo is in a blob. The collector of orphans runs when all writers have ended.
 */
record LargeWorkload(World world) implements Workload {
  private static final LargeOptions OPTIONS = LargeOptions.DEFAULT.withInlineBytesMax(1_000);
  private static final EntityKey COUNTED = new EntityKey("Sales", "counted");

  record Portrait(@PartitionKey String department, @RowKey String id, int version, byte[] photo) {
    EntityKey key() {
      return new EntityKey(department, id);
    }
  }

  private static Portrait portrait(String id, int version) {
    byte[] photo = new byte[2_000];
    new Random(version).nextBytes(photo);
    return new Portrait("Sales", id, version, photo);
  }

  private AsyncTable<Portrait> rows(TestClient client) {
    return AsyncTable.of(client.table(world.table()), Portrait.class);
  }

  private LargeTable<Portrait> portraits(TestClient client) {
    return AsyncLargeTable.of(rows(client), client.container(world.container()))
        .with(OPTIONS)
        .blocking();
  }

  @Override
  public void prepare(TestClient live) {
    portraits(live).insert(portrait(COUNTED.rowKey(), 0));
  }

  @Override
  public Actor actor(TestClient client, Journal journal) {
    LargeTable<Portrait> portraits = portraits(client);
    return random -> {
      Portrait portrait = portrait("e" + random.nextInt(2), random.nextInt(1_000));
      switch (random.nextInt(6)) {
        case 0 -> journal.attempt("insert", () -> portraits.insert(portrait));
        case 1 -> journal.attempt("put", () -> portraits.put(portrait));
        case 2 ->
            journal.attempt("update", () -> portraits.update(portrait.key(), old -> portrait));
        case 3 -> journal.attempt("delete", () -> portraits.delete(portrait.key()));
        default ->
            journal.attempt(
                "next counted",
                () ->
                    portraits.update(
                        COUNTED, old -> portrait(COUNTED.rowKey(), old.version() + 1)));
      }
    };
  }

  @Override
  public void settle(TestClient live) {
    LargeTable<Portrait> portraits =
        portraits(live).async().with(OPTIONS.withWriteMax(Duration.ofSeconds(1))).blocking();
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofMillis(500))
        .until(
            () -> {
              portraits.collectOrphans();
              return blobs(live) == addresses(live);
            });
  }

  private int blobs(TestClient live) {
    List<String> names =
        live.container(world.container()).listBlobs().map(BlobItem::getName).toStream().toList();
    return names.size();
  }

  private int addresses(TestClient live) {
    return (int)
        rows(live)
            .as(EntityCodec.dynamic())
            .query(Query.all())
            .filter(row -> row.getProperties().containsKey("LazuliBlob_Photo"))
            .toStream()
            .count();
  }

  @Override
  public void check(TestClient live, History history) {
    List<Portrait> all = portraits(live).query(Query.all()).toList();
    assertThat(all)
        .allSatisfy(
            each -> assertThat(each.photo()).isEqualTo(portrait("", each.version()).photo()));
    assertThat(blobs(live)).as("blobs").isEqualTo(all.size());
    assertThat((long) portraits(live).find(COUNTED).orElseThrow().version())
        .isBetween(history.atLeast("next", "counted"), history.atMost("next", "counted"));
  }
}
