package io.lazuli.server.scrub;

import io.lazuli.server.blob.check.ContainerCheck;
import io.lazuli.server.catalog.CatalogCheck.NamedSpace;
import io.lazuli.server.check.Finding;
import io.lazuli.server.check.Fix;
import io.lazuli.server.check.SpaceCheck;
import io.lazuli.server.error.Futures;
import io.lazuli.server.queue.service.QueueCheck;
import io.lazuli.server.table.service.EntityCheck;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.DamageVisitor;
import io.lazuli.storage.DamagedRecords;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.LentRecord;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Position;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.Visit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Walks over one table, queue or container, a bounded number of records at a time. Records are
 * copied out of the scan before they are checked, because a check may read others.
 */
final class SpaceWalk {
  private static final int RECORDS_PER_STEP = 1_000;
  private static final long BYTES_PER_STEP = 1 << 20;

  private final StorageEngine engine;
  private final NamedSpace named;
  private final SpaceCheck check;
  private final Consumer<Finding> found;
  private Position next;
  private @Nullable Position last;
  private long records;
  private long bytes;

  SpaceWalk(
      StorageEngine engine,
      NamedSpace named,
      SpaceCheck check,
      Position from,
      Consumer<Finding> found) {
    this.engine = engine;
    this.named = named;
    this.check = check;
    this.next = from;
    this.found = found;
  }

  long records() {
    return records;
  }

  long bytes() {
    return bytes;
  }

  Position restart() {
    return check.restart();
  }

  /** Checks some records. Returns false after the last one. */
  boolean step() {
    try {
      Reading page = new Reading();
      Futures.await(
          engine.scan(
              named.space(),
              List.of(new KeyRange(next, null)),
              Direction.FORWARD,
              Deadline.NEVER,
              page));
      page.seen.forEach(this::check);
      Position rest = page.rest;
      if (rest != null) {
        next = rest;
        return true;
      }
      check.end();
    } catch (StorageException e) {
      if (e.kind() == StorageException.Kind.CORRUPT) {
        found.accept(
            new Finding(named.place(), "after " + key(next), String.valueOf(e.getMessage())));
      } else if (e.kind() != StorageException.Kind.SPACE_GONE) {
        throw e;
      }
    }
    return false;
  }

  private void check(Seen seen) {
    DamagedRecords damage = seen.damage();
    if (damage != null) {
      check.damaged(damage.from(), damage.to());
      report(damage);
      return;
    }
    Position at = seen.at();
    if (last != null && last.compareTo(at) >= 0) {
      found.accept(new Finding(named.place(), key(at), "the record is not in the order of keys"));
    }
    last = at;
    check.record(at.partition(), at.row(), seen.value());
  }

  private void report(DamagedRecords damage) {
    Position at = damage.from();
    String problem = String.valueOf(damage.failure().getMessage());
    if (damage.stored() != null) {
      Fix fix = Fix.remove(new Partition(named.space(), at.partition()).row(at.row()));
      found.accept(new Finding(named.place(), key(at), problem, fix));
    } else {
      Position to = damage.to();
      String range = "from " + key(at) + " to " + (to == null ? "the end" : key(to));
      found.accept(new Finding(named.place(), range, problem));
    }
  }

  private String key(Position at) {
    return switch (named.space().kind()) {
      case TABLE -> EntityCheck.key(at);
      case QUEUE -> QueueCheck.key(at);
      default -> ContainerCheck.key(at);
    };
  }

  /** A record, or damage. */
  private record Seen(Position at, byte[] value, @Nullable DamagedRecords damage) {}

  /** Copies records out of a scan. */
  private final class Reading implements DamageVisitor {
    private final List<Seen> seen = new ArrayList<>();
    private @Nullable Position rest;
    private long read;

    @Override
    public Visit visit(LentRecord record) {
      Position at =
          new Position(Bytes.of(record.partition().copy()), Bytes.of(record.row().copy()));
      if (seen.size() >= RECORDS_PER_STEP || read >= BYTES_PER_STEP) {
        rest = at;
        return Visit.STOP;
      }
      byte[] value = record.value().copy();
      seen.add(new Seen(at, value, null));
      records++;
      read += at.partition().length() + at.row().length() + value.length;
      bytes += at.partition().length() + at.row().length() + value.length;
      return Visit.CONTINUE;
    }

    @Override
    public Visit damaged(DamagedRecords damage) {
      seen.add(new Seen(damage.from(), new byte[0], damage));
      return Visit.CONTINUE;
    }
  }
}
