package io.lazuli.server.table.query;

import io.lazuli.storage.KeyRange;
import io.lazuli.storage.LentRecord;
import io.lazuli.storage.Position;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.Visit;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Scans entities in the order of their keys, by the rules of the storage interface. */
final class RecordScan {
  private final TreeMap<Position, TestEntity> entities = new TreeMap<>();
  private final Map<Position, LentRecord> records = new TreeMap<>();

  RecordScan(Collection<TestEntity> all) {
    for (TestEntity entity : all) {
      entities.put(entity.position(), entity);
      records.put(entity.position(), entity.lend());
    }
  }

  /** Returns all entities, in order. */
  List<TestEntity> entities() {
    return List.copyOf(entities.values());
  }

  TestEntity at(Position position) {
    return entities.get(position);
  }

  void scan(List<KeyRange> ranges, RecordVisitor visitor) {
    KeyRange.requireSortedAndDisjoint(ranges);
    Position next = Position.START;
    for (KeyRange range : ranges) {
      next = next.compareTo(range.from()) > 0 ? next : range.from();
      Position at = entities.ceilingKey(next);
      while (at != null && (range.to() == null || at.compareTo(range.to()) < 0)) {
        Visit visit = visitor.visit(records.get(at));
        if (visit == Visit.STOP) {
          return;
        }
        Position target = visit.target();
        next = target != null && target.compareTo(at) > 0 ? target : at.successor();
        at = entities.ceilingKey(next);
      }
    }
  }
}
