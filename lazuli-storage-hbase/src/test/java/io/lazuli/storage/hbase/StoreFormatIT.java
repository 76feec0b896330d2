package io.lazuli.storage.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lazuli.storage.DataFormat;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.RecordKey;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.StoreCut;
import io.lazuli.storage.contract.EngineFixture;
import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.hbase.call.StoredCell;
import io.lazuli.storage.hbase.cluster.ClusterConnection;
import io.lazuli.storage.hbase.commit.OwnRows;
import io.lazuli.storage.hbase.cut.HBaseRestore;
import io.lazuli.storage.hbase.format.FormatSettings;
import io.lazuli.storage.hbase.format.StoreFormat;
import io.lazuli.storage.keys.KeyCodec;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The format of a store on a real cluster: it is stored, checked, and carried by backups. */
@Timeout(300)
class StoreFormatIT {
  private static final int NEXT = DataFormat.newest() + 1;
  private static final byte[] ROW = KeyCodec.encode(OwnRows.STORE.row(OwnRows.FORMAT));
  private static final String RESTORED = "format";

  @TempDir private Path folder;
  private ClusterConnection connection;
  private AsyncTable<AdvancedScanResultConsumer> catalogue;

  @BeforeEach
  void connect() {
    TestCluster.shared().clear();
    connection = ClusterConnection.open(TestCluster.shared().site(), "lazuli");
    catalogue = connection.data().getTable(StoreTable.CATALOG.name("lazuli"));
  }

  @AfterEach
  void disconnect() {
    TestCluster.shared().clear();
    connection.close();
  }

  @Test
  void aStoreWithoutAFormatGetsOneAndANewerOneIsRefusedUnchanged() {
    assertThat(stored()).isNull();
    try (HBaseEngine engine = open(FormatSettings.DEFAULT)) {
      assertThat(engine.format()).isEqualTo(DataFormat.newest());
      assertThat(ByteBuffer.wrap(stored()).getInt()).isEqualTo(DataFormat.newest());
      assertThat(stored()).as("with a member").hasSize(Integer.BYTES + 24);
    }
    assertThat(stored()).as("without members").isEqualTo(StoreFormat.initial(DataFormat.newest()));
    raise();
    String before = content();
    assertThatThrownBy(() -> open(FormatSettings.DEFAULT))
        .isInstanceOf(EngineOpenException.class)
        .hasMessage(
            "the store in the namespace lazuli has data format %d, but this server reads data"
                + " formats up to %d: start the version that raised it or a newer one",
            NEXT, DataFormat.newest());
    assertThat(content()).isEqualTo(before);
  }

  /** As if the server had been paused while others raised the format. */
  @Test
  void aServerUsesNothingAfterTheFormatHasRisenAboveIt() {
    try (HBaseEngine engine =
        open(new FormatSettings(DataFormat.newest(), Duration.ofSeconds(2)))) {
      RecordKey key = new RecordKey(EngineFixture.HOME, EngineFixture.bytes("row"));
      assertThat(EngineFixture.await(write(engine, key))).isTrue();
      raise();
      byte[] raised = stored();
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> !engine.state().writable());
      assertThat(engine.state().detail()).contains("data format " + NEXT);
      assertThatThrownBy(() -> EngineFixture.await(engine.read(key, Deadline.NEVER)))
          .isInstanceOfSatisfying(
              StorageException.class,
              e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.UNAVAILABLE));
      assertThatThrownBy(() -> EngineFixture.await(write(engine, key)))
          .hasMessageContaining("data format " + NEXT);
      assertThat(stored()).as("it leaves the row alone").isEqualTo(raised);
    }
  }

  @Test
  void backupsCarryTheFormatAndANewerOneIsNotRestored() throws IOException {
    Map<String, byte[]> files;
    try (HBaseEngine engine = open(FormatSettings.DEFAULT);
        StoreCut cut = engine.cut()) {
      files = files(cut);
    }
    String first = files.keySet().iterator().next();
    byte[] newer = files.get(first).clone();
    ByteBuffer.wrap(newer).putInt(newer.length - Integer.BYTES, NEXT);
    if (!connection.admin().listNamespaces().join().contains(RESTORED)) {
      connection.admin().createNamespace(NamespaceDescriptor.create(RESTORED).build()).join();
    }
    try (HBaseRestore restore = begin()) {
      assertThatThrownBy(() -> restore.write(first, new ByteArrayInputStream(newer)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the backup has data format " + NEXT);
    }
    removeRestored();
    try (HBaseRestore restore = begin()) {
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        restore.write(file.getKey(), new ByteArrayInputStream(file.getValue()));
      }
      restore.complete();
    }
    Result row =
        connection.data().getTable(StoreTable.CATALOG.name(RESTORED)).get(new Get(ROW)).join();
    assertThat(StoredCell.of(row).value()).isEqualTo(StoreFormat.initial(DataFormat.newest()));
    removeRestored();
  }

  private static HBaseRestore begin() {
    return HBaseRestore.begin(
        ClusterConnection.open(TestCluster.shared().site(), "lazuli"), RESTORED, null);
  }

  private void removeRestored() {
    for (StoreTable table : StoreTable.values()) {
      if (connection.admin().tableExists(table.name(RESTORED)).join()) {
        connection.admin().disableTable(table.name(RESTORED)).join();
        connection.admin().deleteTable(table.name(RESTORED)).join();
      }
    }
  }

  private static Map<String, byte[]> files(StoreCut cut) throws IOException {
    Map<String, byte[]> files = new LinkedHashMap<>();
    cut.forEach(
        file -> {
          try (ReadableByteChannel in = cut.open(file)) {
            files.put(file.name(), Channels.newInputStream(in).readAllBytes());
          }
        });
    return files;
  }

  private HBaseEngine open(FormatSettings format) {
    return HBaseEngine.open(
        EngineConfig.of(folder),
        TestCluster.shared().site(),
        TestCluster.SETTINGS.withFormat(format));
  }

  private static CompletableFuture<Boolean> write(HBaseEngine engine, RecordKey key) {
    return engine.transact(
        key.partition(),
        List.of(),
        Deadline.NEVER,
        view -> {
          view.put(key.row(), new byte[] {1});
          return true;
        });
  }

  /** Writes the row as a newer version would, after every cell of this one. */
  private void raise() {
    catalogue
        .put(
            new Put(ROW)
                .addColumn(
                    StoreTable.FAMILY,
                    StoreTable.QUALIFIER,
                    System.currentTimeMillis() + 2_000,
                    StoredCell.encode(1, 1, StoreFormat.initial(NEXT))))
        .join();
  }

  private byte[] stored() {
    return StoredCell.of(catalogue.get(new Get(ROW)).join()).value();
  }

  private String content() {
    return catalogue.scanAll(new Scan()).join().toString();
  }
}
