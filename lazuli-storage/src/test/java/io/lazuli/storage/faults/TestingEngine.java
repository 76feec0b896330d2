package io.lazuli.storage.faults;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.LentRecord;
import io.lazuli.storage.Position;
import io.lazuli.storage.RecordTest;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Visit;
import io.lazuli.storage.entity.EntityCondition;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Applies the tests of visitors to forward scans, in pages, as an engine does that evaluates them
 * where the records are stored.
 */
public final class TestingEngine extends ForwardingEngine {
  private final IntSupplier pageRecords;

  /**
   * @param pageRecords returns the number of records that the next page examines; positive
   */
  public TestingEngine(StorageEngine engine, IntSupplier pageRecords) {
    super(engine);
    this.pageRecords = pageRecords;
  }

  @Override
  public CompletableFuture<@Nullable Void> scan(
      Space space,
      List<KeyRange> ranges,
      Direction direction,
      Deadline deadline,
      RecordVisitor visitor) {
    if (direction == Direction.BACKWARD) {
      return super.scan(space, ranges, direction, deadline, visitor);
    }
    Pages pages = new Pages(visitor);
    return super.scan(space, ranges, direction, deadline, pages).thenRun(pages::end);
  }

  /** Stands between an engine without tests and a visitor with one. */
  private final class Pages implements RecordVisitor {
    private final RecordVisitor visitor;
    private @Nullable RecordTest test;
    private @Nullable EntityCondition condition;
    private int left = pageRecords.getAsInt();
    private int matches;
    private long leftOut;

    Pages(RecordVisitor visitor) {
      this.visitor = visitor;
    }

    @Override
    public Visit visit(LentRecord record) {
      if (left == 0) {
        boolean tested = test != null;
        end();
        if (tested && !visitor.continuesAt(position(record))) {
          return Visit.STOP;
        }
        begin();
      }
      left--;
      if (test == null || matches >= test.matchesMax()) {
        return visitor.visit(record);
      }
      if (!holds(record)) {
        leftOut++;
        return Visit.CONTINUE;
      }
      matches++;
      return visitor.visit(record);
    }

    private void begin() {
      left = pageRecords.getAsInt();
      matches = 0;
      test = visitor.test();
      condition = test == null ? null : EntityCondition.parse(test.condition().array());
    }

    private void end() {
      if (leftOut > 0) {
        visitor.leftOut(leftOut);
        leftOut = 0;
      }
    }

    private boolean holds(LentRecord record) {
      EntityCondition applied = Objects.requireNonNull(condition);
      applied.partition(
          record.partition().array(), record.partition().offset(), record.partition().length());
      applied.row(record.row().array(), record.row().offset(), record.row().length());
      return applied.test(record.value().array(), record.value().offset(), record.value().length());
    }

    private static Position position(LentRecord record) {
      return new Position(Bytes.of(record.partition().copy()), Bytes.of(record.row().copy()));
    }
  }
}
