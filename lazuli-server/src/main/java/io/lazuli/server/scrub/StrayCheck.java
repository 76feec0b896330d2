package io.lazuli.server.scrub;

import io.lazuli.server.catalog.CatalogCheck;
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
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Visit;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Finds spaces with records that no name leads to, and names that share a space. Needs nine bytes
 * of memory for each table, queue and container.
 *
 * <p>The spaces are listed before the names. A table gets its name before its first record, so the
 * name of every listed space is found, unless it was dropped in between, which the engine knows.
 */
final class StrayCheck {
  /** The home of a space that no name leads to is not known; an engine does not need it here. */
  private static final Partition NO_HOME = new Partition(Space.CATALOGUE, Bytes.EMPTY);

  private final StorageEngine engine;
  private final CatalogCheck catalog;
  private final Consumer<Finding> found;
  private long[] spaces = new long[64];
  private int count;

  StrayCheck(StorageEngine engine, CatalogCheck catalog, Consumer<Finding> found) {
    this.engine = engine;
    this.catalog = catalog;
    this.found = found;
  }

  void run() {
    for (long next = after(0); next >= 0; next = after(next)) {
      if (count == spaces.length) {
        spaces = Arrays.copyOf(spaces, count * 2);
      }
      spaces[count++] = next;
    }
    BitSet named = new BitSet(count);
    catalog.visit(
        name -> {
          int at = Arrays.binarySearch(spaces, 0, count, name.space().number());
          if (at >= 0 && named.get(at)) {
            found.accept(new Finding(name.place(), "name", "two names lead to the same space"));
          } else if (at >= 0) {
            named.set(at);
          }
        });
    for (int at = named.nextClearBit(0); at < count; at = named.nextClearBit(at + 1)) {
      checkUnnamed(new Space(spaces[at], NO_HOME));
    }
  }

  private long after(long number) {
    return Futures.await(engine.spaceAfter(number, Deadline.NEVER));
  }

  private void checkUnnamed(Space space) {
    if (space.kind() == SpaceKind.CHUNKS) {
      checkChunkRows(space);
    } else if (Futures.await(engine.exists(space, Deadline.NEVER))) {
      String kind = space.kind().name().toLowerCase(Locale.ROOT);
      found.accept(
          new Finding(
              Place.SPACES,
              kind + " " + Long.toHexString(space.number()),
              "no name leads to its records",
              Fix.removeAll(space)));
    }
  }

  /** The rows of chunks belong to the engine; only their damage matters here. */
  private void checkChunkRows(Space space) {
    Futures.await(
        engine.scan(
            space,
            List.of(KeyRange.ALL),
            Direction.FORWARD,
            Deadline.NEVER,
            new DamageVisitor() {
              @Override
              public Visit visit(LentRecord record) {
                return Visit.CONTINUE;
              }

              @Override
              public Visit damaged(DamagedRecords damage) {
                Bytes row = damage.from().row();
                Fix fix =
                    damage.stored() == null
                        ? Fix.NONE
                        : Fix.remove(new Partition(space, damage.from().partition()).row(row));
                found.accept(
                    new Finding(
                        Place.CHUNKS,
                        "row " + HexFormat.of().formatHex(row.array()),
                        String.valueOf(damage.failure().getMessage()),
                        fix));
                return Visit.CONTINUE;
              }
            }));
  }
}
