package io.lazuli.server.scrub;

import io.lazuli.server.check.Finding;
import io.lazuli.server.check.Fix;
import io.lazuli.server.error.Futures;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.DamageVisitor;
import io.lazuli.storage.DamagedRecords;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.LentRecord;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Position;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Visit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Repairs the records of an open store: walks over it and applies the fix of each finding. Removing
 * a damaged record can leave others without a meaning, so it walks until nothing is found. Records
 * are in the file, durably, before they leave the store, so an interrupted repair can be run again.
 */
public final class RecordRepair {
  private static final int PASSES_MAX = 8;
  private static final int RECORDS_PER_STEP = 500;

  private final StorageEngine engine;
  private final Path folder;
  private final Consumer<Finding> repaired;
  private final Consumer<Finding> left;
  private final Deque<Finding> waiting = new ArrayDeque<>();

  /**
   * @param folder the file of moved records is made here
   * @param repaired receives each finding that was repaired
   * @param left receives each finding that cannot be repaired
   */
  public RecordRepair(
      StorageEngine engine, Path folder, Consumer<Finding> repaired, Consumer<Finding> left) {
    this.engine = engine;
    this.folder = folder;
    this.repaired = repaired;
    this.left = left;
  }

  /** Repairs everything. Returns lines for an operator. */
  public List<String> run() {
    List<String> notes = new ArrayList<>();
    try (MovedRecords moved = new MovedRecords(folder)) {
      boolean clean = false;
      for (int pass = 0; pass < PASSES_MAX && !clean; pass++) {
        clean = pass(moved, pass == PASSES_MAX - 1);
      }
      if (moved.file() != null) {
        notes.add("%,d records were moved to %s".formatted(moved.count(), moved.file()));
      }
      return notes;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Walks once. Returns true if there was nothing to repair. */
  private boolean pass(MovedRecords moved, boolean last) {
    boolean clean = true;
    List<Finding> unrepaired = new ArrayList<>();
    StoreWalk walk = StoreWalk.ofRecords(engine, waiting::add);
    while (!walk.isDone()) {
      long unused = walk.step();
      for (Finding next = waiting.poll(); next != null; next = waiting.poll()) {
        if (next.fix().space() == null || last) {
          unrepaired.add(next);
        } else {
          apply(next, moved);
          clean = false;
        }
      }
    }
    if (clean || last) {
      unrepaired.forEach(left);
    }
    return clean;
  }

  private void apply(Finding finding, MovedRecords moved) {
    Fix fix = finding.fix();
    Space space = Objects.requireNonNull(fix.space());
    Bytes partition = fix.partition();
    if (partition == null) {
      moveAll(finding, space, KeyRange.ALL, moved);
    } else if (fix.changes().isEmpty()) {
      moveAll(finding, space, KeyRange.ofPartition(partition), moved);
    } else {
      for (Fix.Change change : fix.changes()) {
        Position at = new Position(partition, change.row());
        move(finding, space, KeyRange.point(at), moved);
      }
      moved.sync();
      write(new Partition(space, partition), fix.changes());
    }
    repaired.accept(finding);
  }

  private void moveAll(Finding finding, Space space, KeyRange range, MovedRecords moved) {
    List<Position> page = move(finding, space, range, moved);
    while (!page.isEmpty()) {
      moved.sync();
      Map<Bytes, List<Fix.Change>> byPartition = new LinkedHashMap<>();
      for (Position at : page) {
        byPartition
            .computeIfAbsent(at.partition(), name -> new ArrayList<>())
            .add(new Fix.Change(at.row(), null));
      }
      byPartition.forEach((name, changes) -> write(new Partition(space, name), changes));
      page = move(finding, space, range, moved);
    }
  }

  private void write(Partition partition, List<Fix.Change> changes) {
    boolean unused =
        Futures.await(
            engine.transact(
                partition,
                List.of(),
                Deadline.NEVER,
                view -> {
                  for (Fix.Change change : changes) {
                    byte[] value = change.value();
                    if (value == null) {
                      view.delete(change.row());
                    } else {
                      view.put(change.row(), value);
                    }
                  }
                  return true;
                }));
  }

  /** Copies the first records of a range to the file. Returns their positions. */
  private List<Position> move(Finding finding, Space space, KeyRange range, MovedRecords moved) {
    List<Position> page = new ArrayList<>();
    Futures.await(
        engine.scan(
            space,
            List.of(range),
            Direction.FORWARD,
            Deadline.NEVER,
            new DamageVisitor() {
              @Override
              public Visit visit(LentRecord record) {
                Position at =
                    new Position(
                        Bytes.of(record.partition().copy()), Bytes.of(record.row().copy()));
                return add(at, record.value().copy(), true);
              }

              @Override
              public Visit damaged(DamagedRecords damage) {
                byte @Nullable [] stored = damage.stored();
                return stored == null ? Visit.CONTINUE : add(damage.from(), stored, false);
              }

              private Visit add(Position at, byte[] value, boolean intact) {
                moved.add(finding, space, at, value, intact);
                page.add(at);
                return page.size() < RECORDS_PER_STEP ? Visit.CONTINUE : Visit.STOP;
              }
            }));
    return page;
  }
}
