package io.lazuli.server.job.kind;

import io.lazuli.server.job.JobFailure;
import io.lazuli.server.table.encoding.EntityCodec;
import io.lazuli.server.table.model.EntityKey;
import io.lazuli.server.table.model.IfMatch;
import io.lazuli.server.table.model.Property;
import io.lazuli.server.table.model.TableName;
import io.lazuli.server.table.service.EntityWrite;
import io.lazuli.server.table.service.TableOutcome.Refused;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Writes entities into a table: transactions of consecutive entities of one partition. An entity
 * that is there is replaced or merged, so writing it twice does no harm.
 */
final class Replacing {
  private static final int TRANSACTION_MAX = 100;
  private static final long TRANSACTION_BYTES_MAX = 2 << 20;

  private final Tables tables;
  private final String account;
  private final TableName table;
  private final boolean isMerging;
  private final List<EntityWrite> writes = new ArrayList<>();
  private final Set<EntityKey> keys = new HashSet<>();
  private long bytes;
  private long written;

  Replacing(Tables tables, String account, TableName table, boolean isMerging) {
    this.tables = tables;
    this.account = account;
    this.table = table;
    this.isMerging = isMerging;
  }

  void add(EntityKey key, List<Property> properties) {
    long size = EntityCodec.encode(properties).length;
    boolean isOther =
        !writes.isEmpty() && !writes.get(0).key().partitionKey().equals(key.partitionKey());
    if (isOther
        || writes.size() == TRANSACTION_MAX
        || bytes + size > TRANSACTION_BYTES_MAX
        || keys.contains(key)) {
      flush();
    }
    keys.add(key);
    bytes += size;
    writes.add(
        isMerging
            ? new EntityWrite.Merge(key, properties, IfMatch.NONE)
            : new EntityWrite.Replace(key, properties, IfMatch.NONE));
  }

  /** Writes what was added. */
  void flush() {
    if (writes.isEmpty()) {
      return;
    }
    List<EntityWrite> now = List.copyOf(writes);
    writes.clear();
    keys.clear();
    bytes = 0;
    if (tables.write(account, table, now) instanceof Refused refused) {
      EntityKey key = now.get(refused.index()).key();
      throw new JobFailure(
          "The entity %s / %s was refused: %s"
              .formatted(key.partitionKey(), key.rowKey(), refused.reason().text()));
    }
    written += now.size();
  }

  /** Returns the number of entities that were written. */
  long written() {
    return written;
  }
}
