package io.lazuli.server.table.service;

import io.lazuli.server.catalog.CatalogEntry;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.table.encoding.EntityCodec;
import io.lazuli.server.table.encoding.EntitySize;
import io.lazuli.server.table.encoding.Utf8;
import io.lazuli.server.table.model.EntityLimits;
import io.lazuli.server.table.model.Property;
import io.lazuli.server.table.model.TableErrors;
import io.lazuli.server.table.service.TableOutcome.Refused;
import io.lazuli.server.table.service.TableOutcome.Written;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.StorageEngine;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one transaction, checked and encoded on the worker thread, so that the commit lane
 * only reads, compares and appends.
 */
final class PreparedTransaction {
  /** The number of operations in one entity group transaction (table-rest 5.4). */
  private static final int WRITES_MAX = 100;

  private final Bytes partition;
  private final List<PreparedWrite> writes;
  private final @Nullable Refused refused;

  private PreparedTransaction(
      Bytes partition, List<PreparedWrite> writes, @Nullable Refused refused) {
    this.partition = partition;
    this.writes = writes;
    this.refused = refused;
  }

  /**
   * Checks and encodes the writes. An error in the writes themselves is kept as {@link #refused}.
   */
  static PreparedTransaction of(List<EntityWrite> writes) {
    String partitionKey = writes.get(0).key().partitionKey();
    List<PreparedWrite> prepared = new ArrayList<>(writes.size());
    Set<String> rows = new HashSet<>();
    for (int i = 0; i < writes.size(); i++) {
      EntityWrite write = writes.get(i);
      try {
        checkGroup(write, partitionKey, rows, writes.size(), i);
        prepared.add(prepare(write));
      } catch (ServiceException e) {
        return new PreparedTransaction(Bytes.EMPTY, List.of(), new Refused(i, e, false));
      }
    }
    return new PreparedTransaction(Bytes.of(Utf8.encodeKey(partitionKey)), prepared, null);
  }

  /** Returns the error in the writes themselves; null if there is none. */
  @Nullable Refused refused() {
    return refused;
  }

  /** Commits all writes to a table, or none. */
  CompletableFuture<TableOutcome> commit(
      StorageEngine engine, CatalogEntry table, Deadline deadline) {
    List<Bytes> touch = new ArrayList<>(writes.size());
    writes.forEach(write -> touch.add(write.row()));
    return engine
        .transact(
            new Partition(table.space(), partition),
            touch,
            deadline,
            new WriteBody(partition, writes))
        .thenApply(result -> outcome(table, result));
  }

  private static TableOutcome outcome(CatalogEntry table, WriteBody.Result result) {
    if (result instanceof WriteBody.Refused refused) {
      return new Refused(refused.index(), refused.error().exception(), true);
    }
    return new Written(table.name(), ((WriteBody.Applied) result).entities());
  }

  private static void checkGroup(
      EntityWrite write, String partitionKey, Set<String> rows, int count, int index) {
    if (count > WRITES_MAX && index == WRITES_MAX - 1) {
      throw TableErrors.TOO_MANY_OPERATIONS.exception();
    }
    if (!write.key().partitionKey().equals(partitionKey)) {
      throw TableErrors.DIFFERENT_PARTITIONS.exception();
    }
    if (!rows.add(write.key().rowKey())) {
      throw TableErrors.INVALID_DUPLICATE_ROW.exception();
    }
  }

  private static PreparedWrite prepare(EntityWrite write) {
    Bytes row = Bytes.of(Utf8.encodeKey(write.key().rowKey()));
    if (write instanceof EntityWrite.Insert insert) {
      return new PreparedWrite(write, row, encode(write, insert.properties()));
    } else if (write instanceof EntityWrite.Replace replace) {
      return new PreparedWrite(write, row, encode(write, replace.properties()));
    } else if (write instanceof EntityWrite.Merge merge) {
      return new PreparedWrite(write, row, encode(write, merge.properties()));
    } else if (write instanceof EntityWrite.Delete) {
      return new PreparedWrite(write, row, new byte[0]);
    }
    throw new IllegalStateException("unknown write: " + write.getClass());
  }

  /**
   * Encodes the properties of a write. Checks the size of the whole entity before the sizes of
   * single values, as Azure does (table-rest 5.3).
   */
  private static byte[] encode(EntityWrite write, List<Property> properties) {
    EntityLimits.checkNames(properties);
    byte[] record = EntityCodec.encode(properties);
    if (EntitySize.isTooLarge(write.key(), record)) {
      throw TableErrors.ENTITY_TOO_LARGE.exception();
    }
    EntityLimits.checkValues(properties, record.length);
    return record;
  }
}
