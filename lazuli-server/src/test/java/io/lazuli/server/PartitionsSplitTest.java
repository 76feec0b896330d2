package io.lazuli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.server.admin.RefusedCommandException;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.Partition;
import io.lazuli.storage.RangeSplit;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.faults.ForwardingEngine;
import io.lazuli.storage.memory.InMemoryEngine;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The commands that divide a table, with an engine that only notes where. */
class PartitionsSplitTest {
  private final InMemoryEngine store = new InMemoryEngine(EngineConfig.of(Path.of("unused")));
  private final Noting engine = new Noting(store);
  private final Catalog catalog = new Catalog(engine);
  private final ServerPartitions partitions = new ServerPartitions(engine, catalog);

  @AfterEach
  void close() {
    store.close();
  }

  /** Says that it is shared, and notes the partitions that are to begin a range. */
  private static final class Noting extends ForwardingEngine {
    private final List<Partition> noted = new ArrayList<>();

    Noting(StorageEngine engine) {
      super(engine);
    }

    @Override
    public boolean isShared() {
      return true;
    }

    @Override
    public CompletableFuture<Optional<RangeSplit>> splitRanges(List<Partition> at) {
      noted.addAll(at);
      return CompletableFuture.completedFuture(Optional.of(new RangeSplit(1, 2, 3, "it is busy")));
    }
  }

  @Test
  void theKeysOfATableAreDivided() {
    Space space = table("Orders");
    Map<String, String> answer =
        partitions.split(Map.of("account", "acme", "table", "orders", "at0", "m", "at1", "\u00e9"));
    assertThat(answer)
        .isEqualTo(
            Map.of("boundaries", "1", "waiting", "2", "nodes", "3", "problem", "it is busy"));
    assertThat(engine.noted)
        .containsExactly(new Partition(space, name("m")), new Partition(space, name("\u00e9")));
  }

  @Test
  void wrongInputIsRefusedAndChangesNothing() {
    table("Orders");
    refused(
        Map.of("account", "acme", "table", "Absent", "at0", "m"),
        "account acme has no table Absent");
    refused(
        Map.of("account", "zoo", "table", "Orders", "at0", "m"), "account zoo has no table Orders");
    refused(Map.of("table", "Orders", "at0", "m"), "account  has no table Orders");
    refused(Map.of("account", "acme", "table", "Orders"), "from 1 to 256 keys are needed, not 0");
    refused(
        Map.of("account", "acme", "table", "Orders", "at0", ""),
        "a key must have from 1 to 1024 characters");
    refused(
        Map.of("account", "acme", "table", "Orders", "at0", "x".repeat(1_025)),
        "a key must have from 1 to 1024 characters");
    Map<String, String> many = new TreeMap<>(Map.of("account", "acme", "table", "Orders"));
    for (int i = 0; i < 257; i++) {
      many.put("at" + i, "k" + i);
    }
    refused(many, "from 1 to 256 keys are needed, not 257");
    assertThat(engine.noted).isEmpty();
  }

  @Test
  void aServerWithoutAClusterHasNoRanges() {
    table("Orders");
    ServerPartitions alone = new ServerPartitions(store, catalog);
    for (Map<String, String> arguments :
        List.of(
            Map.of("account", "acme", "table", "Orders", "at0", "m"),
            Map.of("account", "acme", "table", "Orders", "count", "2"))) {
      assertThatThrownBy(
              () -> {
                Map<String, String> unused =
                    arguments.containsKey("count")
                        ? alone.points(arguments)
                        : alone.split(arguments);
              })
          .isInstanceOf(RefusedCommandException.class)
          .hasMessage(
              "this server has all partitions on one machine; only the engine hbase has ranges to"
                  + " split");
    }
  }

  @Test
  void aCountDividesThePartitionsThatExist() {
    Space space = table("Orders");
    for (int i = 0; i < 100; i++) {
      put(space, "p%02d".formatted(i), i == 7 ? 50 : 1);
    }
    assertThat(
            partitions.points(Map.of("account", "acme", "table", "Orders", "count", "4")).values())
        .containsExactly("p25", "p50", "p75");
    assertThatThrownBy(
            () -> partitions.points(Map.of("account", "acme", "table", "Orders", "count", "101")))
        .hasMessage(
            "the table has 100 partitions, so it cannot be divided into 101 ranges; name keys"
                + " instead");
    for (String count : List.of("", "1", "-3", "many", "258", "9999")) {
      assertThatThrownBy(
              () -> partitions.points(Map.of("account", "acme", "table", "Orders", "count", count)))
          .isInstanceOf(RefusedCommandException.class)
          .hasMessage("the number of ranges must be from 2 to 257, not " + count);
    }
  }

  @Test
  void manyPartitionsAreThinnedEvenly() {
    Space space = table("Orders");
    for (int i = 0; i < 20_000; i++) {
      put(space, "p%05d".formatted(i), 1);
    }
    Map<String, String> points =
        partitions.points(Map.of("account", "acme", "table", "Orders", "count", "2"));
    int middle = Integer.parseInt(points.get("at0").substring(1));
    assertThat(middle).isBetween(9_990, 10_010);
  }

  private void refused(Map<String, String> arguments, String message) {
    assertThatThrownBy(() -> partitions.split(arguments))
        .isInstanceOf(RefusedCommandException.class)
        .hasMessage(message);
  }

  private Space table(String name) {
    ServiceHome home = ServiceHome.ofTables("acme");
    String key = name.toLowerCase(java.util.Locale.ROOT);
    assertThat(catalog.create(home, key, name, Deadline.NEVER).join()).isTrue();
    return Objects.requireNonNull(catalog.find(home, key, Deadline.NEVER).join()).space();
  }

  private void put(Space space, String partition, int rows) {
    boolean unused =
        store
            .transact(
                new Partition(space, name(partition)),
                List.of(),
                Deadline.NEVER,
                view -> {
                  for (int i = 0; i < rows; i++) {
                    view.put(name("r" + i), new byte[1]);
                  }
                  return true;
                })
            .join();
  }

  private static Bytes name(String text) {
    return Bytes.of(text.getBytes(StandardCharsets.UTF_8));
  }
}
