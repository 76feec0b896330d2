package io.lazuli.server.own;

import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.CatalogEntry;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.error.Futures;
import io.lazuli.server.error.ServiceException;
import io.lazuli.server.table.encoding.EntityCodec;
import io.lazuli.server.table.encoding.Utf8;
import io.lazuli.server.table.model.EdmValue.BinaryValue;
import io.lazuli.server.table.model.Property;
import io.lazuli.server.table.model.TableErrors;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.Position;
import io.lazuli.storage.RecordVisitor;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Visit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Tables of the server itself. Their account has a name that no account can have, so no client can
 * address them; for the engine, and for checks of a store, they are tables like others. All methods
 * block, and throw what the engine reports.
 */
public final class OwnTables {
  /** The account of the tables. */
  static final String ACCOUNT = "$lazuli";

  private static final ServiceHome HOME = ServiceHome.ofTables(ACCOUNT);
  private static final Duration TIME_MAX = Duration.ofSeconds(10);

  private final StorageEngine engine;
  private final Catalog catalog;
  private final String property;

  /**
   * @param property the property in which values are stored
   */
  public OwnTables(StorageEngine engine, Catalog catalog, String property) {
    this.engine = engine;
    this.catalog = catalog;
    this.property = property;
  }

  /** A stored value with its keys. */
  public record Row(String partition, String row, byte[] value) {}

  public boolean isShared() {
    return engine.isShared();
  }

  /** Stores a value. Creates the table if it does not exist. */
  public void put(String table, String partition, String row, byte[] value) {
    byte @Nullable [] unused = change(table, partition, row, old -> value);
  }

  /**
   * Changes a value.
   *
   * @param change returns the new value, given the old one or null; returns null to keep it; may be
   *     called several times
   * @return the value after the change
   */
  public byte @Nullable [] change(
      String table, String partition, String row, UnaryOperator<byte @Nullable []> change) {
    try {
      return changeExisting(table, partition, row, change);
    } catch (ServiceException e) {
      if (!e.error().equals(TableErrors.TABLE_NOT_FOUND)) {
        throw e;
      }
      boolean unused = Futures.await(catalog.create(HOME, table, table, deadline()));
      return changeExisting(table, partition, row, change);
    }
  }

  private byte @Nullable [] changeExisting(
      String table, String partition, String row, UnaryOperator<byte @Nullable []> change) {
    Bytes key = key(row);
    Optional<byte[]> after =
        onTable(
            table,
            entry ->
                engine.transact(
                    new Partition(entry.space(), key(partition)),
                    List.of(key),
                    deadline(),
                    view -> changed(view, key, change)));
    return after.orElse(null);
  }

  private Optional<byte[]> changed(
      PartitionView view, Bytes key, UnaryOperator<byte @Nullable []> change) {
    byte[] stored = view.read(key);
    byte[] old = stored == null ? null : value(stored);
    byte[] value = change.apply(old);
    if (value == null) {
      return Optional.ofNullable(old);
    }
    byte[] record = EntityCodec.encode(List.of(new Property(property, new BinaryValue(value))));
    EntityCodec.setTicks(record, view.timestamp(key));
    view.put(key, record);
    return Optional.of(value);
  }

  /** Returns a value; null if there is none. */
  public byte @Nullable [] get(String table, String partition, String row) {
    List<Row> found =
        scan(
            table,
            new KeyRange(
                new Position(key(partition), key(row)),
                new Position(key(partition), key(row)).successor()),
            1);
    return found.isEmpty() ? null : found.get(0).value();
  }

  /** Returns the rows of a partition, in order. */
  public List<Row> partition(String table, String partition, int max) {
    return scan(table, KeyRange.ofPartition(key(partition)), max);
  }

  /** Returns the names of the partitions of a table, in order. */
  public List<String> partitions(String table, int max) {
    List<String> names = new ArrayList<>();
    Position from = Position.START;
    while (names.size() < max) {
      List<Row> next = scan(table, new KeyRange(from, null), 1);
      if (next.isEmpty()) {
        return names;
      }
      names.add(next.get(0).partition());
      from = Position.endOf(key(next.get(0).partition()));
    }
    return names;
  }

  /** Returns rows of a partition from one row to before another. */
  public List<Row> rows(String table, String partition, String from, String to, int max) {
    return scan(
        table,
        new KeyRange(
            new Position(key(partition), key(from)), new Position(key(partition), key(to))),
        max);
  }

  private List<Row> scan(String table, KeyRange range, int max) {
    List<Row> found = new ArrayList<>();
    RecordVisitor visitor =
        RecordVisitor.ofFirst(
            max,
            record -> {
              byte[] partition = record.partition().copy();
              byte[] row = record.row().copy();
              byte[] value = value(record.value().copy());
              if (value != null) {
                found.add(
                    new Row(
                        Utf8.decode(partition, 0, partition.length),
                        Utf8.decode(row, 0, row.length),
                        value));
              }
              return Visit.CONTINUE;
            });
    try {
      boolean unused =
          onTable(
              table,
              entry ->
                  engine
                      .scan(entry.space(), List.of(range), Direction.FORWARD, deadline(), visitor)
                      .thenApply(scanned -> true));
    } catch (ServiceException e) {
      if (!e.error().equals(TableErrors.TABLE_NOT_FOUND)) {
        throw e;
      }
    }
    return found;
  }

  private byte @Nullable [] value(byte[] record) {
    for (Property each : EntityCodec.properties(record)) {
      if (each.name().equals(property) && each.value() instanceof BinaryValue value) {
        return value.value();
      }
    }
    return null;
  }

  /** Returns the names of the tables that begin with a prefix, up to a number. */
  public List<String> names(String prefix, int max) {
    List<String> names = new ArrayList<>();
    Futures.await(
        catalog.list(
            HOME,
            prefix,
            deadline(),
            row -> {
              if (!row.name().startsWith(prefix)) {
                return false;
              }
              names.add(row.name());
              return names.size() < max;
            }));
    return names;
  }

  /** Drops a table, whatever its size. */
  public void drop(String table) {
    boolean unused = Futures.await(catalog.delete(HOME, table, deadline()));
  }

  /** Removes a value, if it is there. */
  public void remove(String table, String partition, String row) {
    Bytes key = key(row);
    try {
      boolean unused =
          onTable(
              table,
              entry ->
                  engine.transact(
                      new Partition(entry.space(), key(partition)),
                      List.of(key),
                      deadline(),
                      view -> {
                        view.delete(key);
                        return true;
                      }));
    } catch (ServiceException e) {
      if (!e.error().equals(TableErrors.TABLE_NOT_FOUND)) {
        throw e;
      }
    }
  }

  @FunctionalInterface
  private interface Work<T> {
    CompletableFuture<T> on(CatalogEntry table);
  }

  private <T> T onTable(String table, Work<T> work) {
    return Futures.await(
        catalog.onSpace(HOME, table, deadline(), TableErrors.TABLE_NOT_FOUND, work::on));
  }

  private static Bytes key(String text) {
    return Bytes.of(Utf8.encodeKey(text));
  }

  private static Deadline deadline() {
    return Deadline.after(TIME_MAX);
  }
}
