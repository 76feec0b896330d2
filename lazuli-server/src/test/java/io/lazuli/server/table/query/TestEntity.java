package io.lazuli.server.table.query;

import io.lazuli.server.table.encoding.EntityCodec;
import io.lazuli.server.table.encoding.Utf8;
import io.lazuli.server.table.model.Property;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.LentRecord;
import io.lazuli.storage.Position;
import java.util.List;

/** An entity as values, for tests that compare results on values with results on bytes. */
record TestEntity(String partitionKey, String rowKey, long ticks, List<Property> properties) {
  Position position() {
    return new Position(Bytes.of(Utf8.encodeKey(partitionKey)), Bytes.of(Utf8.encodeKey(rowKey)));
  }

  byte[] record() {
    byte[] record = EntityCodec.encode(properties);
    EntityCodec.setTicks(record, ticks);
    return record;
  }

  /** Lends the entity as an engine would: each part inside a larger array. */
  LentRecord lend() {
    LentRecord lent = new LentRecord();
    Position position = position();
    byte[] partition = position.partition().array();
    byte[] row = position.row().array();
    byte[] record = record();
    byte[] array = new byte[partition.length + row.length + record.length + 4];
    System.arraycopy(partition, 0, array, 1, partition.length);
    lent.partition().lend(array, 1, partition.length);
    System.arraycopy(row, 0, array, partition.length + 2, row.length);
    lent.row().lend(array, partition.length + 2, row.length);
    System.arraycopy(record, 0, array, array.length - record.length - 1, record.length);
    lent.value().lend(array, array.length - record.length - 1, record.length);
    return lent;
  }
}
