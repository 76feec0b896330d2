package io.lazuli.storage.hbase;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.hbase.cluster.ClusterConnection;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;

/** What HBase's own client does for a read and for an insert, in the table of entities. */
final class RawRecords {
  static final int VALUE_BYTES = 380;

  private final AsyncTable<?> table;
  private final AtomicLong fresh = new AtomicLong();

  RawRecords(ClusterConnection connection) {
    table = connection.data().getTable(StoreTable.TABLES.name(HBaseSettings.DEFAULT.namespace()));
  }

  /** Reads a record that is there. */
  void read(byte[] key) {
    assertThat(table.get(new Get(key)).join().isEmpty()).isFalse();
  }

  /** Reads one of those that were inserted here. */
  void readOne() {
    read(key(1 + Math.floorMod(System.nanoTime(), fresh.get())));
  }

  /** Inserts a record that is not there, durably. */
  void insertNew() {
    byte[] key = key(fresh.incrementAndGet());
    Put put =
        new Put(key)
            .addColumn(StoreTable.FAMILY, StoreTable.QUALIFIER, new byte[VALUE_BYTES])
            .setDurability(Durability.FSYNC_WAL);
    CheckAndMutate absent =
        CheckAndMutate.newBuilder(key)
            .ifNotExists(StoreTable.FAMILY, StoreTable.QUALIFIER)
            .build(put);
    assertThat(table.checkAndMutate(absent).join().isSuccess()).isTrue();
  }

  /** Behind all keys of ours. */
  private static byte[] key(long number) {
    return ("\u00ff" + number).getBytes(UTF_8);
  }
}
