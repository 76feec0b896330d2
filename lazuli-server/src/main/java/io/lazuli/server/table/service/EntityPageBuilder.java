package io.lazuli.server.table.service;

import io.lazuli.server.table.encoding.Utf8;
import io.lazuli.server.table.query.MatchingVisitor;
import io.lazuli.server.table.query.QueryPlan;
import io.lazuli.server.table.service.TableOutcome.EntityPage;
import io.lazuli.server.table.service.TableOutcome.NextKey;
import io.lazuli.server.table.service.TableOutcome.QueryCost;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.LentRecord;
import io.lazuli.storage.Position;
import io.lazuli.storage.RecordTest;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.Visit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Collects one page of a query. The page ends at a limit of entities, bytes, memory of all pages or
 * time, or, in a rehearsal, at the end of a partition. The next page begins at the first record
 * that was not read. At least one record is read, so every page makes progress, except an empty
 * page of a rehearsal. Mutable, for one scan.
 */
final class EntityPageBuilder implements RecordVisitor {
  /** The size at which a page ends, as on Azure: 4 MiB. */
  private static final long PAGE_BYTES_MAX = 4 << 20;

  /** The number of records between two looks at the clock. */
  private static final int CLOCK_EVERY = 64;

  private final QueryPlan plan;
  private final PageTrouble trouble;
  private final PageMemory memory;
  private final LongSupplier nanoClock;
  private final long endNanos;
  private final MatchingVisitor matching;
  private final List<StoredEntity> entities = new ArrayList<>();
  private long bytes;
  private long visited;
  private @Nullable NextKey next;

  /** The partition of the last record; set only if the page may end with its partition. */
  private @Nullable Bytes partition;

  EntityPageBuilder(
      QueryPlan plan,
      PageTrouble trouble,
      PageMemory memory,
      LongSupplier nanoClock,
      long budgetNanos) {
    this.plan = plan;
    this.trouble = trouble;
    this.memory = memory;
    this.nanoClock = nanoClock;
    this.endNanos = nanoClock.getAsLong() + budgetNanos;
    this.matching = new MatchingVisitor(plan, this::accept);
  }

  /** A full page needs the next record, whether it matches or not: the next page begins there. */
  @Override
  public @Nullable RecordTest test() {
    return isFull() || trouble.endsWithPartition()
        ? null
        : matching.test(trouble.entitiesMax() - entities.size());
  }

  @Override
  public int recordsMax() {
    return isFull() ? 1 : Integer.MAX_VALUE;
  }

  @Override
  public void leftOut(long records) {
    matching.leftOut(records);
  }

  @Override
  public boolean continuesAt(Position position) {
    byte[] partition = position.partition().array();
    byte[] row = position.row().array();
    if (nanoClock.getAsLong() - endNanos < 0 || !Utf8.isKey(partition) || !Utf8.isKey(row)) {
      return true;
    }
    next = new NextKey(partition, row.length == 0 ? null : row);
    return false;
  }

  @Override
  public Visit visit(LentRecord record) {
    if (isFull() || isLate()) {
      next = new NextKey(record.partition().copy(), record.row().copy());
      return Visit.STOP;
    }
    if (trouble.endsWithPartition() && isInNextPartition(record)) {
      next = new NextKey(record.partition().copy(), null);
      return Visit.STOP;
    }
    visited++;
    return matching.visit(record);
  }

  private boolean isFull() {
    return entities.size() >= trouble.entitiesMax() || isLong();
  }

  private boolean isLong() {
    return bytes >= PAGE_BYTES_MAX || (bytes > 0 && memory.isFull());
  }

  private boolean isInNextPartition(LentRecord record) {
    if (partition != null && record.partition().contentEquals(partition)) {
      return false;
    }
    boolean first = partition == null;
    partition = Bytes.of(record.partition().copy());
    return !first;
  }

  /** Returns the bytes of the records of the page. */
  long bytes() {
    return bytes;
  }

  EntityPage page(String table) {
    return new EntityPage(table, entities, next, new QueryCost(plan.text(), matching.examined()));
  }

  /** Gives back the memory of the page, which nobody uses any more. */
  void release() {
    memory.giveBack(bytes);
    bytes = 0;
  }

  private Visit accept(LentRecord record) {
    byte[] value = record.value().copy();
    entities.add(new StoredEntity(record.partition().copy(), record.row().copy(), value));
    bytes += value.length;
    memory.take(value.length);
    return Visit.CONTINUE;
  }

  private boolean isLate() {
    return visited > 0 && visited % CLOCK_EVERY == 0 && nanoClock.getAsLong() - endNanos >= 0;
  }
}
