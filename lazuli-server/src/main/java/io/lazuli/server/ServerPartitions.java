package io.lazuli.server;

import io.lazuli.server.admin.RefusedCommandException;
import io.lazuli.server.catalog.Catalog;
import io.lazuli.server.catalog.CatalogRow;
import io.lazuli.server.catalog.ServiceHome;
import io.lazuli.server.error.Futures;
import io.lazuli.server.table.encoding.Utf8;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Position;
import io.lazuli.storage.RangeSplit;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.Visit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Commands of operators that divide the partitions of a table into ranges on several machines,
 * before the load comes. Block.
 */
final class ServerPartitions {
  private static final int KEYS_MAX = 256;
  private static final int KEY_CHARS_MAX = 1_024;
  private static final Duration COUNTING_TIME_MAX = Duration.ofSeconds(10);

  /** The maximum number of keys that a count holds. */
  private static final int SAMPLES_MAX = 8_192;

  private final StorageEngine engine;
  private final Catalog catalog;

  ServerPartitions(StorageEngine engine, Catalog catalog) {
    this.engine = engine;
    this.catalog = catalog;
  }

  /**
   * Returns keys that divide the partitions of a table evenly.
   *
   * @param arguments {@code account}, {@code table} and {@code count}, the number of ranges
   * @return {@code at0}, {@code at1} and so on
   */
  Map<String, String> points(Map<String, String> arguments) {
    requireShared();
    Space space = space(arguments);
    String text = arguments.getOrDefault("count", "");
    int count = text.matches("\\d{1,3}") ? Integer.parseInt(text) : 0;
    if (count < 2 || count > KEYS_MAX + 1) {
      throw new RefusedCommandException(
          "the number of ranges must be from 2 to %d, not %s".formatted(KEYS_MAX + 1, text));
    }
    List<Bytes> partitions = partitions(space);
    if (partitions.size() < count) {
      throw new RefusedCommandException(
          "the table has %d partitions, so it cannot be divided into %d ranges; name keys instead"
              .formatted(partitions.size(), count));
    }
    Map<String, String> points = new LinkedHashMap<>();
    for (int i = 1; i < count; i++) {
      Bytes key = partitions.get((int) ((long) i * partitions.size() / count));
      points.put("at" + (i - 1), Utf8.decode(key.array(), 0, key.length()));
    }
    return points;
  }

  /**
   * Returns the partitions of a table, or every second, fourth and so on of them if there are many.
   */
  private List<Bytes> partitions(Space space) {
    Thinned thinned = new Thinned();
    try {
      Futures.await(
          engine.scan(
              space,
              List.of(KeyRange.ALL),
              Direction.FORWARD,
              Deadline.after(COUNTING_TIME_MAX),
              record -> {
                Bytes partition = Bytes.of(record.partition().copy());
                thinned.add(partition);
                return Visit.skipTo(Position.endOf(partition));
              }));
      return thinned.kept;
    } catch (StorageException e) {
      throw new RefusedCommandException(
          "the partitions could not be counted (%s); name keys instead".formatted(e.getMessage()));
    }
  }

  /** Every second, fourth and so on of many partitions. Used by one thread at a time. */
  private static final class Thinned {
    private List<Bytes> kept = new ArrayList<>();
    private long seen;
    private long stride = 1;

    void add(Bytes partition) {
      if (seen++ % stride == 0) {
        kept.add(partition);
      }
      if (kept.size() > SAMPLES_MAX) {
        List<Bytes> half = new ArrayList<>();
        for (int i = 0; i < kept.size(); i += 2) {
          half.add(kept.get(i));
        }
        kept = half;
        stride *= 2;
      }
    }
  }

  /**
   * Makes a step towards ranges that begin at some keys.
   *
   * @param arguments {@code account}, {@code table}, and the keys {@code at0}, {@code at1} and so
   *     on
   * @return {@code boundaries}, {@code waiting}, {@code nodes} and {@code problem}, as in {@link
   *     RangeSplit}
   */
  Map<String, String> split(Map<String, String> arguments) {
    requireShared();
    List<String> keys = keys(arguments);
    Space space = space(arguments);
    List<Partition> at =
        keys.stream().map(key -> new Partition(space, Bytes.of(Utf8.encodeKey(key)))).toList();
    try {
      RangeSplit split =
          Futures.await(engine.splitRanges(at)).orElseThrow(ServerPartitions::oneMachine);
      Map<String, String> answer = new LinkedHashMap<>();
      answer.put("boundaries", String.valueOf(split.boundaries()));
      answer.put("waiting", String.valueOf(split.waiting()));
      answer.put("nodes", String.valueOf(split.nodes()));
      answer.put("problem", split.problem());
      return answer;
    } catch (StorageException e) {
      throw new RefusedCommandException("the cluster does not answer: " + e.getMessage());
    }
  }

  private static List<String> keys(Map<String, String> arguments) {
    List<String> keys = new ArrayList<>();
    for (String key = arguments.get("at0"); key != null; key = arguments.get("at" + keys.size())) {
      if (key.isEmpty() || key.length() > KEY_CHARS_MAX) {
        throw new RefusedCommandException("a key must have from 1 to 1024 characters");
      }
      keys.add(key);
    }
    if (keys.isEmpty() || keys.size() > KEYS_MAX) {
      throw new RefusedCommandException(
          "from 1 to %d keys are needed, not %d".formatted(KEYS_MAX, keys.size()));
    }
    return keys;
  }

  private Space space(Map<String, String> arguments) {
    String account = arguments.getOrDefault("account", "");
    String table = arguments.getOrDefault("table", "");
    ServiceHome home = ServiceHome.ofTables(account);
    try {
      CatalogRow row =
          Futures.await(
              catalog.read(
                  home, table.toLowerCase(Locale.ROOT), Deadline.after(COUNTING_TIME_MAX)));
      if (row != null) {
        return new Space(row.space(), home.partition());
      }
    } catch (StorageException e) {
      throw new RefusedCommandException("the cluster does not answer: " + e.getMessage());
    }
    throw new RefusedCommandException("account " + account + " has no table " + table);
  }

  private void requireShared() {
    if (!engine.isShared()) {
      throw oneMachine();
    }
  }

  private static RefusedCommandException oneMachine() {
    return new RefusedCommandException(
        "this server has all partitions on one machine; only the engine hbase has ranges to split");
  }
}
