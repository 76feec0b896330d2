package io.lazuli.storage.hbase.commit;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Partition;
import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.hbase.call.StoredCell;
import io.lazuli.storage.keys.KeyCodec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.NullComparator;
import org.apache.hadoop.hbase.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.protobuf.generated.ClientProtos.Condition;
import org.apache.hadoop.hbase.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.protobuf.generated.HBaseProtos.CompareType;
import org.apache.hadoop.hbase.protobuf.generated.MultiRowMutationProtos.MutateRowsRequest;
import org.apache.hadoop.hbase.shaded.com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * The result of one run of a body as one request: all its changes, on the condition that every row
 * that it read by key is unchanged. The request can be sent again. It is carried out at most once,
 * because it changes rows that it depends on.
 *
 * <p>The engine sets the timestamps of cells itself. Otherwise HBase would order cells by the
 * clocks of its servers and lose writes. All cells of a transaction have the same timestamp, which
 * is above that of every cell that it read.
 */
final class Commit {
  /**
   * How long a tombstone is kept. A record that is inserted in this time gets a higher timestamp
   * than the deleted one.
   */
  static final Duration TOMBSTONE_LIFETIME = Duration.ofHours(1);

  private final Partition partition;
  private final StoreTable table;
  private final Durability durability;
  private final long writeId;
  private final long millis;
  private final Map<Bytes, StoredCell> conditions = new LinkedHashMap<>();
  private final Set<Bytes> written = new LinkedHashSet<>();
  private final Set<Bytes> changed;
  private final MutateRowsRequest.Builder builder = MutateRowsRequest.newBuilder();
  private final MutateRowsRequest request;

  /**
   * Prepares the request for the reads and changes of a view.
   *
   * @param view closed; every changed row has been read, unless its key was never used before
   */
  Commit(TransactionView view, ClusterClock clock, long writeId, Durability durability) {
    this.partition = view.partition();
    this.table = view.table();
    this.durability = durability;
    this.writeId = writeId;
    long above = clock.cellMillis();
    for (Bytes row : view.conditions()) {
      StoredCell cell = view.found(row);
      conditions.put(row, cell);
      above = Math.max(above, cell.millis() + 1);
      builder.addCondition(condition(row, cell));
    }
    this.millis = above;
    this.changed = view.changes().keySet();
    view.changes().forEach((row, change) -> change(view, clock, row, change.orElse(null)));
    this.request = builder.build();
  }

  Partition partition() {
    return partition;
  }

  StoreTable table() {
    return table;
  }

  long writeId() {
    return writeId;
  }

  MutateRowsRequest request() {
    return request;
  }

  /** Returns a row that identifies the region. */
  byte[] anyRow() {
    return KeyCodec.encode(partition.row(Bytes.EMPTY));
  }

  /** Returns the rows that were read, with their content. */
  Map<Bytes, StoredCell> conditions() {
    return conditions;
  }

  /** Returns the rows that contain the write id once the request was carried out. */
  Set<Bytes> written() {
    return written;
  }

  /** Returns the keys of all rows that were read or changed. */
  Set<Bytes> keys() {
    Set<Bytes> keys = new HashSet<>();
    conditions.keySet().forEach(row -> keys.add(Bytes.of(key(row))));
    changed.forEach(row -> keys.add(Bytes.of(key(row))));
    return keys;
  }

  boolean changesNothing() {
    return request.getMutationRequestCount() == 0;
  }

  private void change(
      TransactionView view, ClusterClock clock, Bytes row, byte @Nullable [] value) {
    StoredCell cell = view.found(row);
    if (value != null) {
      Long given = view.timestampGiven(row);
      long version = given != null ? given : clock.timestampAbove(cell.version());
      put(row, millis, StoredCell.encode(version, writeId, value), false);
    } else if (table.keysNeverRecur()) {
      delete(row);
    } else if (cell.isRecord()) {
      delete(row);
      Long given = view.timestampGiven(row);
      long version = given != null ? given : cell.version();
      put(row, millis + 1, StoredCell.encodeTombstone(version, writeId), true);
    }
  }

  private void put(Bytes row, long at, byte[] stored, boolean tombstone) {
    Put put = new Put(key(row)).addColumn(StoreTable.FAMILY, StoreTable.QUALIFIER, at, stored);
    if (tombstone) {
      put.setTTL(TOMBSTONE_LIFETIME.toMillis());
    }
    add(MutationType.PUT, put);
    written.add(row);
  }

  private void delete(Bytes row) {
    add(
        MutationType.DELETE,
        new Delete(key(row)).addColumns(StoreTable.FAMILY, StoreTable.QUALIFIER, millis));
  }

  private void add(MutationType type, Mutation mutation) {
    try {
      builder.addMutationRequest(ProtobufUtil.toMutation(type, mutation.setDurability(durability)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Condition condition(Bytes row, StoredCell cell) {
    byte[] head = cell.head();
    return Condition.newBuilder()
        .setRow(ByteString.copyFrom(key(row)))
        .setFamily(ByteString.copyFrom(StoreTable.FAMILY))
        .setQualifier(ByteString.copyFrom(StoreTable.QUALIFIER))
        .setCompareType(CompareType.EQUAL)
        .setComparator(
            ProtobufUtil.toComparator(
                head == null ? new NullComparator() : new BinaryPrefixComparator(head)))
        .build();
  }

  private byte[] key(Bytes row) {
    return KeyCodec.encode(partition.row(row));
  }
}
