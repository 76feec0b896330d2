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

/** A read and an insert with HBase's own client, in the table of entities. */
final class RawRecords {
  static final int VALUE_BYTES = 380;

  private final AsyncTable<?> table;
  private final AtomicLong fresh = new AtomicLong();

  RawRecords(ClusterConnection connection) {
    table = connection.data().getTable(StoreTable.TABLES.name(HBaseSettings.DEFAULT.namespace()));
  }

  /** Reads a record that exists. */
  void read(byte[] key) {
    assertThat(table.get(new Get(key)).join().isEmpty()).isFalse();
  }

  /** Reads one of the records that {@link #insertNew} inserted. */
  void readOne() {
    read(key(1 + Math.floorMod(System.nanoTime(), fresh.get())));
  }

  /** Inserts a new record durably. */
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

  /** Returns a key after all keys of the engine. */
  private static byte[] key(long number) {
    return ("\u00ff" + number).getBytes(UTF_8);
  }
}
