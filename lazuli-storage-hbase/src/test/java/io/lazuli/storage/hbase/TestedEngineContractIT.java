package io.lazuli.storage.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.LentRecord;
import io.lazuli.storage.Position;
import io.lazuli.storage.RecordTest;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Visit;
import io.lazuli.storage.entity.EntityCondition;
import io.lazuli.storage.faults.ForwardingEngine;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;

/**
 * The whole contract once more, with visitors that carry a test which every record passes. Region
 * servers evaluate it from the first page on.
 */
@Tag("long")
class TestedEngineContractIT extends HBaseEngineContractIT {
  /** The pages that region servers tested, of all engines that are closed. */
  private static final AtomicLong FILTERED = new AtomicLong();

  @AfterAll
  static void theFilterWasUsed() {
    assertThat(FILTERED.get()).isPositive();
  }

  @Override
  HBaseSettings settings() {
    return super.settings().withPushdown(Pushdown.Mode.ALWAYS);
  }

  @Override
  protected StorageEngine open(EngineConfig config) {
    return new Tested((HBaseEngine) super.open(config));
  }

  @Override
  protected long storedRecords(StorageEngine engine, Space space) {
    return super.storedRecords(((Tested) engine).engine, space);
  }

  private static final class Tested extends ForwardingEngine {
    private final HBaseEngine engine;

    Tested(HBaseEngine engine) {
      super(engine);
      this.engine = engine;
    }

    @Override
    public void close() {
      FILTERED.addAndGet(Metrics.value(engine, "lazuli_hbase_filtered_pages"));
      super.close();
    }

    @Override
    public CompletableFuture<@Nullable Void> scan(
        Space space,
        List<KeyRange> ranges,
        Direction direction,
        Deadline deadline,
        RecordVisitor visitor) {
      return super.scan(space, ranges, direction, deadline, new TestedVisitor(visitor));
    }
  }

  /** Expects so much that other regions are read ahead. */
  private record TestedVisitor(RecordVisitor visitor) implements RecordVisitor {
    private static final RecordTest TEST =
        new RecordTest(
            Bytes.of(new byte[] {EntityCondition.ALWAYS}), Integer.MAX_VALUE, Long.MAX_VALUE);

    @Override
    public Visit visit(LentRecord shown) {
      return visitor.visit(shown);
    }

    @Override
    public int recordsMax() {
      return visitor.recordsMax();
    }

    @Override
    public RecordTest test() {
      return TEST;
    }

    @Override
    public boolean continuesAt(Position next) {
      return visitor.continuesAt(next);
    }
  }
}
