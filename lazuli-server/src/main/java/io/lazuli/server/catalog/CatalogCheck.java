package io.lazuli.server.catalog;

import io.lazuli.server.check.Finding;
import io.lazuli.server.check.Fix;
import io.lazuli.server.check.Place;
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
import io.lazuli.storage.work.WorkBoard;
import java.nio.BufferUnderflowException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads the names of the catalogue, and reports rows that cannot be read. Blocks. */
public final class CatalogCheck {
  /** A name and its space. */
  public record NamedSpace(Place place, Space space) {}

  /**
   * Some names.
   *
   * @param next the position of the first row that was not read; null after the last one
   */
  public record Page(List<NamedSpace> names, @Nullable Position next) {}

  private final StorageEngine engine;

  public CatalogCheck(StorageEngine engine) {
    this.engine = engine;
  }

  /** Reads names, beginning at a position, and reports damaged rows on the way. */
  public Page page(Position from, int rowsMax, Consumer<Finding> found) {
    Reading reading = new Reading(rowsMax, found);
    Futures.await(
        engine.scan(
            Space.CATALOGUE,
            List.of(new KeyRange(from, null)),
            Direction.FORWARD,
            Deadline.NEVER,
            reading));
    return new Page(reading.names, reading.next);
  }

  /** Shows all names; damaged rows are passed over. */
  public void visit(Consumer<NamedSpace> visitor) {
    Position next = Position.START;
    while (next != null) {
      Page page = page(next, 1_000, ignored -> {});
      page.names().forEach(visitor);
      next = page.next();
    }
  }

  /** Returns the place of a space; a place without a name if no name leads to it. */
  public Place placeOf(Space space) {
    Place[] place = {new Place(kind(space), ServiceHome.account(space), "")};
    visit(
        named -> {
          if (named.space().number() == space.number()) {
            place[0] = named.place();
          }
        });
    return place[0];
  }

  private static String kind(Space space) {
    return space.kind().name().toLowerCase(Locale.ROOT);
  }

  /** Collects the names of one page. */
  private static final class Reading implements DamageVisitor {
    private final int rowsMax;
    private final Consumer<Finding> found;
    private final List<NamedSpace> names = new ArrayList<>();
    private @Nullable Position next;
    private int rows;

    Reading(int rowsMax, Consumer<Finding> found) {
      this.rowsMax = rowsMax;
      this.found = found;
    }

    @Override
    public Visit visit(LentRecord record) {
      Bytes partition = Bytes.of(record.partition().copy());
      Bytes row = Bytes.of(record.row().copy());
      if (rows++ == rowsMax) {
        next = new Position(partition, row);
        return Visit.STOP;
      }
      ServiceHome home = ServiceHome.find(partition);
      if (partition.equals(WorkBoard.PARTITION.name())) {
        // What servers note about their work. They read it as far as they can.
        return Visit.CONTINUE;
      } else if (home == null) {
        report(partition, row, "the row does not belong to an account");
      } else if (CatalogEntryCodec.isDeleted(row)) {
        addDeleted(home, row, record.value().copy());
      } else if (row.compareTo(CatalogEntryCodec.NAMES_END) < 0 && !CatalogEntryCodec.isDue(row)) {
        addName(home, row, record.value().copy());
      } else if (!row.equals(CatalogEntryCodec.PROPERTIES) && !CatalogEntryCodec.isDue(row)) {
        report(partition, row, "the row is of an unknown kind");
      }
      return Visit.CONTINUE;
    }

    /** Adds a soft-deleted name, which still leads to its space. */
    private void addDeleted(ServiceHome home, Bytes row, byte[] value) {
      try {
        String key = CatalogEntryCodec.deletedKey(row.array());
        DeletedName deleted = CatalogEntryCodec.decodeDeleted(key, value);
        Space space = new Space(deleted.row().space(), home.partition());
        if (!key.equals(deleted.key())) {
          report(home.partition().name(), row, "the row belongs to " + deleted.key());
        } else if (space.kind() != home.kind()) {
          report(home.partition().name(), row, "the space is of another kind");
        } else {
          names.add(new NamedSpace(new Place(kind(space), home.account(), key), space));
        }
      } catch (IllegalStateException
          | IllegalArgumentException
          | IndexOutOfBoundsException
          | BufferUnderflowException
          | NegativeArraySizeException e) {
        report(home.partition().name(), row, "the row cannot be read: " + e.getMessage());
      }
    }

    private void addName(ServiceHome home, Bytes row, byte[] value) {
      try {
        CatalogRow entry = CatalogEntryCodec.decode(value);
        Space space = new Space(entry.space(), home.partition());
        if (!row.equals(CatalogEntryCodec.row(entry.name().toLowerCase(Locale.ROOT)))) {
          report(home.partition().name(), row, "the row belongs to the name " + entry.name());
        } else if (space.kind() != home.kind()) {
          report(home.partition().name(), row, "the space is of another kind");
        } else {
          names.add(new NamedSpace(new Place(kind(space), home.account(), entry.name()), space));
        }
      } catch (IllegalStateException
          | IllegalArgumentException
          | BufferUnderflowException
          | NegativeArraySizeException e) {
        report(home.partition().name(), row, "the row cannot be read: " + e.getMessage());
      }
    }

    @Override
    public Visit damaged(DamagedRecords damage) {
      Position at = damage.from();
      Partition home = new Partition(Space.CATALOGUE, at.partition());
      if (damage.stored() != null) {
        Fix fix = Fix.remove(home.row(at.row()));
        found.accept(new Finding(Place.CATALOGUE, key(at), message(damage), fix));
      } else {
        Position to = damage.to();
        String end = to == null ? "the end" : key(to);
        found.accept(
            new Finding(
                Place.CATALOGUE, "from " + key(at) + " to " + end, message(damage), Fix.NONE));
      }
      return Visit.CONTINUE;
    }

    private static String message(DamagedRecords damage) {
      return String.valueOf(damage.failure().getMessage());
    }

    private void report(Bytes partition, Bytes row, String problem) {
      Fix fix = Fix.remove(new Partition(Space.CATALOGUE, partition).row(row));
      found.accept(new Finding(Place.CATALOGUE, key(new Position(partition, row)), problem, fix));
    }

    private static String key(Position at) {
      return "row '%s' of '%s'".formatted(text(at.row()), text(at.partition()));
    }

    private static String text(Bytes bytes) {
      return new String(bytes.array(), StandardCharsets.UTF_8);
    }
  }
}
