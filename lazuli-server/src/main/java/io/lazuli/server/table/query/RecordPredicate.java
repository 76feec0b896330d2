package io.lazuli.server.table.query;

import io.lazuli.server.table.encoding.EntityCodec;
import io.lazuli.server.table.model.EdmValue;
import io.lazuli.server.table.model.Property;
import io.lazuli.server.table.query.Filter.Comparison;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.LentBytes;
import io.lazuli.storage.LentRecord;
import io.lazuli.storage.entity.EntityCondition;
import java.util.List;

/** A filter that runs over the bytes of records. Mutable, so each scan needs its own object. */
public final class RecordPredicate {
  private final Bytes encoded;
  private final EntityCondition condition;
  private final boolean always;

  private RecordPredicate(byte[] encoded, boolean always) {
    this.encoded = Bytes.of(encoded);
    this.condition = EntityCondition.parse(encoded);
    this.always = always;
  }

  public static RecordPredicate of(Filter filter) {
    return new RecordPredicate(ConditionWriter.write(filter), filter.equals(Filter.ALL));
  }

  /** Returns true if every entity matches. */
  boolean isAlways() {
    return always;
  }

  /** Returns the filter in the form that {@link EntityCondition} reads. */
  Bytes encoded() {
    return encoded;
  }

  /** Returns true if the entity matches. Uses the record only during the call. */
  public boolean test(LentRecord record) {
    if (always) {
      return true;
    }
    if (condition.comparesKeys()) {
      LentBytes partition = record.partition();
      LentBytes row = record.row();
      condition.partition(partition.array(), partition.offset(), partition.length());
      condition.row(row.array(), row.offset(), row.length());
    }
    LentBytes value = record.value();
    return condition.test(value.array(), value.offset(), value.length());
  }

  /**
   * Returns true if a comparison holds between two constants; the left constant takes the role of a
   * property.
   */
  public static boolean holds(EdmValue left, Operator operator, EdmValue right) {
    byte[] bytes = EntityCodec.encode(List.of(new Property("x", left)));
    LentRecord record = new LentRecord();
    record.value().lend(bytes, 0, bytes.length);
    return of(new Comparison("x", operator, right)).test(record);
  }
}
