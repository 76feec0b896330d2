package io.lazuli.storage.hbase.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.hbase.TestCluster;
import io.lazuli.storage.hbase.call.PageConsumer;
import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.hbase.reclaim.SpaceRows;
import io.lazuli.storage.keys.KeyCodec;
import io.lazuli.storage.keys.KeyInterval;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A region with more deleted rows than a server crosses in the time of one call. */
@Tag("long")
class DroppedRowsIT {
  /** A page ends as soon as a server reports its position. */
  private static final PageConsumer.Limits SHORT_PAGES =
      new PageConsumer.Limits(1_000, Long.MAX_VALUE, 0);

  private static final long SPACE = Space.number(SpaceKind.TABLE, 1);
  private static final int ROWS = 200_000;
  private static final int AT_ONCE = 5_000;

  /** A server stops after half of this, but checks its clock only every 10,000 cells. */
  private static final int CALL_MILLIS = 100;

  private final String namespace =
      "tombs" + Long.toHexString(ThreadLocalRandom.current().nextLong());

  @Test
  void pagesContinueWhereTheServerStopped() {
    try (ClusterConnection connection =
        ClusterConnection.open(TestCluster.shared().site(), "lazuli")) {
      connection
          .admin()
          .createNamespace(NamespaceDescriptor.create(namespace).build())
          .thenCompose(
              made -> connection.admin().createTable(StoreTable.TABLES.descriptor(namespace)))
          .join();
      AsyncTableBuilder<AdvancedScanResultConsumer> builder =
          connection.data().getTableBuilder(StoreTable.TABLES.name(namespace)).setMaxAttempts(16);
      putAndDelete(builder.build());
      Bytes last = key(ROWS);
      put(builder.build(), List.of(last));
      cross(builder.setScanTimeout(CALL_MILLIS, TimeUnit.MILLISECONDS).build(), last);
    }
  }

  /** Finds the one live row after all the deleted ones. */
  private static void cross(AsyncTable<AdvancedScanResultConsumer> table, Bytes last) {
    KeyInterval space = KeyInterval.ofSpace(SPACE);
    Bytes from = space.from();
    List<byte[]> found = new ArrayList<>();
    int stops = 0;
    while (from.compareTo(space.to()) < 0) {
      SpaceRows.Page page = page(table, from, space.to());
      assertThat(page.next()).isGreaterThanOrEqualTo(from);
      stops += page.passesRegion() ? 0 : 1;
      found.addAll(page.keys());
      from = page.next();
    }
    assertThat(stops).isPositive();
    assertThat(found).containsExactly(last.array());
  }

  private static SpaceRows.Page page(
      AsyncTable<AdvancedScanResultConsumer> table, Bytes from, Bytes stop) {
    for (int tries = 1; ; tries++) {
      try {
        return DroppedRows.page(table, from, stop, SHORT_PAGES).join();
      } catch (CompletionException e) {
        // The time of a call is so short here that a busy machine may exceed it.
        assertThat(tries).isLessThan(50);
      }
    }
  }

  private static void putAndDelete(AsyncTable<AdvancedScanResultConsumer> table) {
    for (int row = 0; row < ROWS; row += AT_ONCE) {
      List<Bytes> keys = new ArrayList<>();
      List<Delete> deletes = new ArrayList<>();
      for (int i = row; i < row + AT_ONCE; i++) {
        keys.add(key(i));
        deletes.add(
            new Delete(key(i).array())
                .addColumns(StoreTable.FAMILY, StoreTable.QUALIFIER, Long.MAX_VALUE - 1));
      }
      put(table, keys);
      table.deleteAll(deletes).join();
    }
  }

  private static void put(AsyncTable<AdvancedScanResultConsumer> table, List<Bytes> keys) {
    table
        .putAll(
            keys.stream()
                .map(
                    key ->
                        new Put(key.array())
                            .addColumn(StoreTable.FAMILY, StoreTable.QUALIFIER, 1, new byte[17]))
                .toList())
        .join();
  }

  private static Bytes key(int row) {
    Bytes name = Bytes.of(ByteBuffer.allocate(Integer.BYTES).putInt(row).array());
    return Bytes.of(KeyCodec.encode(SPACE, Bytes.of(new byte[] {'p'}), name));
  }
}
