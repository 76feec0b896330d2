package io.lazuli.server.table.service;

import io.lazuli.server.table.query.MatchingVisitor;
import io.lazuli.server.table.query.QueryPlan;
import io.lazuli.server.table.service.TableBrowser.Tally;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.LentRecord;
import io.lazuli.storage.Position;
import io.lazuli.storage.RecordTest;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.Visit;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Counts what a plan finds, until a time has passed. Mutable, for one scan. */
final class TallyVisitor implements RecordVisitor {
  /** The number of records between two looks at the clock. */
  private static final int CLOCK_EVERY = 64;

  private final MatchingVisitor matching;
  private final LongSupplier nanoClock;
  private final long endNanos;
  private long read;
  private long matches;
  private long partitions;
  private long bytes;
  private @Nullable Bytes last;
  private @Nullable Position next;

  TallyVisitor(QueryPlan plan, @Nullable Bytes lastSeen, Duration time, LongSupplier nanoClock) {
    this.matching = new MatchingVisitor(plan, this::accept);
    this.nanoClock = nanoClock;
    this.endNanos = nanoClock.getAsLong() + time.toNanos();
    this.last = lastSeen;
  }

  @Override
  public @Nullable RecordTest test() {
    return matching.test(Integer.MAX_VALUE);
  }

  @Override
  public void leftOut(long records) {
    matching.leftOut(records);
  }

  @Override
  public boolean continuesAt(Position position) {
    if (nanoClock.getAsLong() - endNanos < 0) {
      return true;
    }
    next = position;
    return false;
  }

  @Override
  public Visit visit(LentRecord record) {
    if (++read % CLOCK_EVERY == 0 && nanoClock.getAsLong() - endNanos >= 0) {
      next = new Position(Bytes.of(record.partition().copy()), Bytes.of(record.row().copy()));
      return Visit.STOP;
    }
    return matching.visit(record);
  }

  private Visit accept(LentRecord record) {
    matches++;
    bytes += record.value().length();
    if (last == null || record.partition().compareTo(last) != 0) {
      last = Bytes.of(record.partition().copy());
      partitions++;
    }
    return Visit.CONTINUE;
  }

  Tally tally() {
    return new Tally(matches, partitions, last, bytes, next);
  }
}
