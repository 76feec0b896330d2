package io.lazuli.server.load;

import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.CatalogEntry;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.error.Futures;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.load.count.SpaceName;
import io.lazuli.server.load.fact.TableEnds;
import io.lazuli.server.table.encoding.Utf8;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Position;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.Visit;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Finds the ends of tables by seeks: two for the ends, and up to eight past partitions. */
final class EngineEnds implements TableEnds {
  private static final int MANY = 8;
  private static final Duration TIME_MAX = Duration.ofSeconds(2);

  private final StorageEngine engine;
  private final Catalog catalog;

  EngineEnds(StorageEngine engine, Catalog catalog) {
    this.engine = engine;
    this.catalog = catalog;
  }

  @Override
  public @Nullable Ends find(SpaceName table) {
    try {
      Deadline deadline = Deadline.after(TIME_MAX);
      CatalogEntry entry =
          Futures.await(
              catalog.find(
                  ServiceHome.ofTables(table.account()),
                  table.name().toLowerCase(Locale.ROOT),
                  deadline));
      return entry == null ? null : find(entry.space(), deadline);
    } catch (StorageException | ServiceException e) {
      return null;
    }
  }

  private @Nullable Ends find(Space space, Deadline deadline) {
    Bytes last = first(space, Position.START, Direction.BACKWARD, deadline);
    Bytes next = first(space, Position.START, Direction.FORWARD, deadline);
    if (last == null || next == null) {
      return null;
    }
    Bytes first = next;
    int count = 0;
    while (next != null && count < MANY) {
      count++;
      next = first(space, Position.endOf(next), Direction.FORWARD, deadline);
    }
    return new Ends(text(first), text(last), count >= MANY);
  }

  private @Nullable Bytes first(
      Space space, Position from, Direction direction, Deadline deadline) {
    Bytes[] found = new Bytes[1];
    RecordVisitor visitor =
        RecordVisitor.ofFirst(
            1,
            record -> {
              found[0] = Bytes.of(record.partition().copy());
              return Visit.CONTINUE;
            });
    Futures.await(
        engine.scan(space, List.of(new KeyRange(from, null)), direction, deadline, visitor));
    return found[0];
  }

  private static String text(Bytes key) {
    return Utf8.decode(key.array(), 0, key.length());
  }
}
