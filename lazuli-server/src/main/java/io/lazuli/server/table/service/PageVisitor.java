package io.lazuli.server.table.service;

import io.lazuli.server.table.encoding.Utf8;
import io.lazuli.server.table.explain.Look;
import io.lazuli.server.table.model.EdmType;
import io.lazuli.server.table.model.EdmValue.StringValue;
import io.lazuli.server.table.query.Filter.Comparison;
import io.lazuli.server.table.query.MatchingVisitor;
import io.lazuli.server.table.query.QueryPlan;
import io.lazuli.server.table.service.TableBrowser.PageRequest;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.LentBytes;
import io.lazuli.storage.LentRecord;
import io.lazuli.storage.Position;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.Visit;
import io.lazuli.storage.entity.EntityCursor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Collects a page for the console, which ends at a number of rows or bytes or after a time. A page
 * of no rows is a look: it ends after some entities that were read. Mutable, for one scan.
 */
final class PageVisitor implements RecordVisitor {
  /** The number of records between two looks at the clock. */
  private static final int CLOCK_EVERY = 16;

  private final PageRequest asked;
  private final LongSupplier nanoClock;
  private final long endNanos;
  private final MatchingVisitor matching;
  private final Look look;
  private final EntityCursor cursor = new EntityCursor();
  private final List<StoredEntity> entities = new ArrayList<>();
  private long bytes;
  private @Nullable Position next;

  PageVisitor(QueryPlan plan, PageRequest asked, LongSupplier nanoClock) {
    this.asked = asked;
    this.nanoClock = nanoClock;
    this.endNanos = nanoClock.getAsLong() + asked.time().toNanos();
    this.matching = new MatchingVisitor(plan, this::accept);
    Comparison text = TableBrowser.textComparison(plan.residual());
    this.look =
        text == null
            ? new Look(null, null)
            : new Look(text.property(), ((StringValue) text.literal()).value());
  }

  @Override
  public Visit visit(LentRecord record) {
    if (isFull() || isLate()) {
      next = new Position(Bytes.of(record.partition().copy()), Bytes.of(record.row().copy()));
      return Visit.STOP;
    }
    look.read(record);
    return matching.visit(record);
  }

  private boolean isFull() {
    return isLook()
        ? look.readCount() >= TableBrowser.LOOK_ENTITIES_MAX
        : entities.size() >= asked.rows() || bytes >= asked.bytes();
  }

  private boolean isLook() {
    return asked.rows() == 0;
  }

  private boolean isLate() {
    long read = look.readCount();
    return read > 0 && read % CLOCK_EVERY == 0 && nanoClock.getAsLong() - endNanos >= 0;
  }

  private Visit accept(LentRecord record) {
    String contains = asked.contains();
    if (contains != null && !contains(record, contains)) {
      return Visit.CONTINUE;
    }
    look.match();
    if (!isLook()) {
      entities.add(
          new StoredEntity(record.partition().copy(), record.row().copy(), record.value().copy()));
      bytes += record.value().length();
    }
    return Visit.CONTINUE;
  }

  private boolean contains(LentRecord record, String text) {
    if (text(record.partition()).contains(text) || text(record.row()).contains(text)) {
      return true;
    }
    cursor.reset(record.value().array(), record.value().offset(), record.value().length());
    while (cursor.next()) {
      if (cursor.tag() == EdmType.STRING.tag()
          && Utf8.decode(cursor.array(), cursor.valueOffset(), cursor.valueLength())
              .contains(text)) {
        return true;
      }
    }
    return false;
  }

  private static String text(LentBytes bytes) {
    return Utf8.decode(bytes.array(), bytes.offset(), bytes.length());
  }

  List<StoredEntity> entities() {
    return entities;
  }

  @Nullable Position next() {
    return next;
  }

  Look look() {
    return look;
  }
}
