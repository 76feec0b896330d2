package io.lazuli.storage.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.Deadline;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.StoreCut;
import io.lazuli.storage.contract.EngineFixture;
import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.hbase.cluster.ClusterConnection;
import io.lazuli.storage.hbase.cut.HBaseRestore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Cuts of a cluster under load, and stores that were restored from them. */
@Timeout(600)
class HBaseCutIT {
  private static final String RESTORED = "restored";

  @TempDir private Path folder;
  private ClusterConnection connection;
  private AsyncAdmin admin;
  private HBaseEngine engine;
  private CutWriters writers;

  TestCluster cluster() {
    return TestCluster.shared();
  }

  @BeforeEach
  void open() {
    cluster().clear();
    connection = ClusterConnection.open(cluster().site(), "lazuli");
    admin = connection.admin();
    removeTables(RESTORED + ":");
    engine = open(HBaseSettings.DEFAULT.namespace());
    writers = new CutWriters(engine);
  }

  @AfterEach
  void close() {
    writers.close();
    engine.close();
    removeTables(RESTORED + ":");
    connection.close();
  }

  @Test
  void aRestoredCutHasWhatWasAcknowledgedAndNothingTorn() throws IOException {
    rounds(1);
  }

  @Test
  @Tag("long")
  @Timeout(3_600)
  void manyRestoredCutsAreWhole() throws IOException {
    rounds(Integer.getInteger("cut.rounds", 10));
  }

  private void rounds(int count) throws IOException {
    int named = 0;
    for (int round = 0; round < count; round++) {
      writers.start(engine);
      Awaitility.await().atMost(Duration.ofMinutes(1)).until(writers::haveBegun);
      List<Long> floor = writers.acknowledged();
      SortedMap<String, byte[]> files;
      try (StoreCut cut = engine.cut()) {
        files = files(cut);
      }
      writers.stop();
      assertNothingIsLeft();
      restore(files);
      try (HBaseEngine restored = open(RESTORED)) {
        named += writers.verify(restored, floor);
        long fresh = EngineFixture.await(restored.newSpace(SpaceKind.TABLE, Deadline.NEVER));
        long used = EngineFixture.await(engine.newSpace(SpaceKind.TABLE, Deadline.NEVER));
        assertThat(Space.counter(fresh)).isGreaterThan(Space.counter(used) - 1_024);
      }
      removeTables(RESTORED + ":");
    }
    System.out.printf(
        "%d rounds, %s steps, %d drops, %d spaces had a name%n",
        count, writers.acknowledged(), writers.drops(), named);
  }

  @Test
  @Tag("long")
  void theRecordsThatDidNotChangeAreTheSameFilesInTheNextCut() throws IOException {
    writers.start(engine);
    Awaitility.await().atMost(Duration.ofMinutes(1)).until(writers::haveBegun);
    writers.stop();
    SortedMap<String, byte[]> first;
    try (StoreCut cut = engine.cut()) {
      first = files(cut);
      assertThatThrownBy(engine::cut)
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("makes a backup");
    }
    try (StoreCut cut = engine.cut()) {
      SortedMap<String, byte[]> second = files(cut);
      assertThat(second.keySet()).isEqualTo(first.keySet());
      second.forEach(
          (name, bytes) -> {
            if (!name.equals("store")) {
              assertThat(bytes).as(name).isEqualTo(first.get(name));
            }
          });
    }
  }

  @Test
  @Tag("long")
  void aRestoreThatIsNotCompleteNeverStarts() throws IOException {
    assertThatThrownBy(() -> HBaseRestore.begin(connect(), HBaseSettings.DEFAULT.namespace(), null))
        .isInstanceOf(EngineOpenException.class)
        .hasMessageContaining("has tables");
    begin().close();
    assertThatThrownBy(() -> open(RESTORED))
        .isInstanceOf(EngineOpenException.class)
        .hasMessageContaining("has not finished");
    assertThatThrownBy(() -> begin())
        .isInstanceOf(EngineOpenException.class)
        .hasMessageContaining("has tables");
  }

  @Test
  @Tag("long")
  void theCopiesOfAKilledServerAreRemovedByTheNextCut() throws IOException {
    TableName leftTable = TableName.valueOf("lazuli", "backup-killed-tables");
    admin.snapshot("lazuli-backup-lazuli-killed-tables", StoreTable.TABLES.name("lazuli")).join();
    admin.cloneSnapshot("lazuli-backup-lazuli-killed-tables", leftTable).join();
    admin.disableTable(leftTable).join();
    engine.cut().close();
    assertNothingIsLeft();
  }

  private void assertNothingIsLeft() {
    assertThat(admin.listSnapshots(Pattern.compile("lazuli-backup-.*")).join()).isEmpty();
    assertThat(admin.listTableNames(Pattern.compile("lazuli:backup-.*"), false).join()).isEmpty();
  }

  private static SortedMap<String, byte[]> files(StoreCut cut) throws IOException {
    TreeMap<String, byte[]> files = new TreeMap<>();
    String[] last = {""};
    cut.forEach(
        file -> {
          assertThat(file.name()).isGreaterThan(last[0]);
          last[0] = file.name();
          try (ReadableByteChannel in = cut.open(file)) {
            byte[] bytes = Channels.newInputStream(in).readAllBytes();
            assertThat(bytes).as(file.name()).hasSize((int) file.length());
            files.put(file.name(), bytes);
          }
        });
    return files;
  }

  private void restore(SortedMap<String, byte[]> files) throws IOException {
    if (!admin.listNamespaces().join().contains(RESTORED)) {
      admin.createNamespace(NamespaceDescriptor.create(RESTORED).build()).join();
    }
    try (HBaseRestore restore = begin()) {
      for (String name : files.keySet()) {
        restore.write(name, new ByteArrayInputStream(files.get(name)));
      }
      restore.complete();
    }
  }

  private HBaseRestore begin() {
    ClusterConnection connection = connect();
    return HBaseRestore.begin(
        connection, RESTORED, HBaseEngine.chunkFolder(cluster().site(), connection));
  }

  private ClusterConnection connect() {
    return ClusterConnection.open(cluster().site(), "lazuli");
  }

  private HBaseEngine open(String namespace) {
    HBaseSettings settings =
        new HBaseSettings(
                namespace,
                TestCluster.SETTINGS.user(),
                TestCluster.SETTINGS.durability(),
                TestCluster.SETTINGS.calls(),
                TestCluster.SETTINGS.queued(),
                TestCluster.SETTINGS.transactions(),
                TestCluster.SETTINGS.reclaim(),
                TestCluster.SETTINGS.silence(),
                TestCluster.SETTINGS.lease(),
                Duration.ZERO,
                TestCluster.SETTINGS.balance(),
                TestCluster.SETTINGS.format(),
                TestCluster.SETTINGS.pushdown())
            .withReclaimAfter(Duration.ZERO);
    return HBaseEngine.open(EngineConfig.of(folder), cluster().site(), settings);
  }

  private void removeTables(String prefix) {
    for (TableName table :
        admin.listTableNames(Pattern.compile(Pattern.quote(prefix) + ".*"), false).join()) {
      if (admin.isTableEnabled(table).join()) {
        admin.disableTable(table).join();
      }
      admin.deleteTable(table).join();
    }
  }
}
