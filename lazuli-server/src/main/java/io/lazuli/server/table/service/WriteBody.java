package io.lazuli.server.table.service;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.lazuli.server.table.encoding.EntityCodec;
import io.lazuli.server.table.encoding.EntitySize;
import io.lazuli.server.table.model.EntityLimits;
import io.lazuli.server.table.model.IfMatch;
import io.lazuli.server.table.model.TableErrors;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.TransactionBody;
import io.lazuli.storage.entity.EntityCursor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The body of every transaction on entities: applies all writes of one operation in order, or none.
 * Pure, so an engine may run it again.
 */
final class WriteBody implements TransactionBody<WriteBody.Result> {
  /** The result of the transaction. */
  sealed interface Result {}

  /**
   * All writes took place.
   *
   * @param entities the stored entities, one for each write; the record of a delete is empty
   */
  record Applied(List<StoredEntity> entities) implements Result {}

  /**
   * No write took place.
   *
   * @param index the index of the write that was refused
   */
  record Refused(ServiceError error, int index) implements Result {}

  private final Bytes partition;
  private final List<PreparedWrite> writes;

  WriteBody(Bytes partition, List<PreparedWrite> writes) {
    this.partition = partition;
    this.writes = writes;
  }

  /** Checks every write before it applies the first one, so that a refusal changes nothing. */
  @Override
  public Result run(PartitionView view) {
    List<byte[]> records = new ArrayList<>(writes.size());
    for (int i = 0; i < writes.size(); i++) {
      PreparedWrite write = writes.get(i);
      byte[] stored = view.read(write.row());
      byte[] record = write.record();
      ServiceError refusal = refusal(write.write(), stored);
      if (refusal == null && stored != null && write.write() instanceof EntityWrite.Merge) {
        record = EntityCodec.merge(stored, record);
        refusal = sizeRefusal(write, record);
      }
      if (refusal != null) {
        return new Refused(refusal, i);
      }
      records.add(record);
    }
    return new Applied(apply(view, records));
  }

  @Override
  public long weightBytes() {
    long weight = 0;
    for (PreparedWrite write : writes) {
      weight += write.record().length + write.row().length();
    }
    return weight;
  }

  @Override
  public List<Bytes> probablyAbsent() {
    return writes.stream()
        .filter(write -> write.write() instanceof EntityWrite.Insert)
        .map(PreparedWrite::row)
        .toList();
  }

  private static @Nullable ServiceError refusal(EntityWrite write, byte @Nullable [] stored) {
    if (write instanceof EntityWrite.Insert) {
      return stored == null ? null : TableErrors.ENTITY_ALREADY_EXISTS;
    }
    IfMatch condition = condition(write);
    if (stored == null) {
      return condition.present() ? CommonErrors.RESOURCE_NOT_FOUND : null;
    }
    boolean met = condition.accepts(EntityCodec.ticks(stored));
    return met ? null : TableErrors.UPDATE_CONDITION_NOT_SATISFIED;
  }

  private static IfMatch condition(EntityWrite write) {
    if (write instanceof EntityWrite.Replace replace) {
      return replace.condition();
    } else if (write instanceof EntityWrite.Merge merge) {
      return merge.condition();
    }
    return ((EntityWrite.Delete) write).condition();
  }

  /**
   * Returns the error if a merged record exceeds a limit. The records of other writes were checked
   * before.
   */
  private static @Nullable ServiceError sizeRefusal(PreparedWrite write, byte[] record) {
    int count = new EntityCursor().reset(record, 0, record.length).count();
    if (count > EntityLimits.PROPERTIES_MAX) {
      return TableErrors.TOO_MANY_PROPERTIES;
    }
    return EntitySize.isTooLarge(write.write().key(), record) ? TableErrors.ENTITY_TOO_LARGE : null;
  }

  private List<StoredEntity> apply(PartitionView view, List<byte[]> records) {
    List<StoredEntity> entities = new ArrayList<>(writes.size());
    for (int i = 0; i < writes.size(); i++) {
      Bytes row = writes.get(i).row();
      byte[] record = records.get(i);
      if (record.length == 0) {
        view.delete(row);
      } else {
        record = record.clone();
        EntityCodec.setTicks(record, view.timestamp(row));
        view.put(row, record);
      }
      entities.add(new StoredEntity(partition.array(), row.array(), record));
    }
    return entities;
  }
}
