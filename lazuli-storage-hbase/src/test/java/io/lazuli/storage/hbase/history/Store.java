package io.lazuli.storage.hbase.history;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.contract.EngineFixture;
import io.lazuli.storage.history.History;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The records of one run, in their own space: counters of one row, batches of ten rows that always
 * change together, and rows that never change.
 */
record Store(Space space) {
  static final List<String> BATCHES = names("b", 4);
  static final List<String> COUNTERS = names("c", 6);
  static final List<String> UNCHANGED = names("s", 40);

  /** All partitions that are written. */
  static final List<String> WRITTEN = Stream.concat(BATCHES.stream(), COUNTERS.stream()).toList();

  private static final Partition HOME = new Partition(Space.CATALOGUE, bytes("history"));
  private static final int ROWS = 10;

  /** Returns the store whose space has this number. */
  static Store of(long number) {
    return new Store(new Space(number, HOME));
  }

  /** Creates a store with the number 0 in every row. */
  static Store create(StorageEngine engine) {
    Store store = of(EngineFixture.await(engine.newSpace(SpaceKind.TABLE, Deadline.NEVER)));
    Stream.concat(WRITTEN.stream(), UNCHANGED.stream())
        .map(target -> store.begin(engine, target))
        .toList()
        .forEach(java.util.concurrent.CompletableFuture::join);
    return store;
  }

  private java.util.concurrent.CompletableFuture<Boolean> begin(
      StorageEngine engine, String target) {
    return engine.transact(
        partition(target),
        List.of(),
        Deadline.after(Duration.ofMinutes(1)),
        view -> {
          rows(target).forEach(row -> view.put(bytes(row), encode(0)));
          return true;
        });
  }

  Partition partition(String target) {
    return new Partition(space, bytes(target));
  }

  /** Returns the rows of a partition, in order. */
  static List<String> rows(String target) {
    return COUNTERS.contains(target)
        ? List.of("0")
        : IntStream.range(0, ROWS).mapToObj(String::valueOf).toList();
  }

  /** Returns the rows that every scan must show. */
  static Map<String, SortedSet<String>> rowsOfScans() {
    Map<String, SortedSet<String>> rows = new HashMap<>();
    SortedSet<String> all = new TreeSet<>();
    Stream.concat(WRITTEN.stream(), UNCHANGED.stream())
        .forEach(
            target -> {
              SortedSet<String> own = new TreeSet<>();
              rows(target).forEach(row -> own.add(target + "/" + row));
              rows.put(target, own);
              all.addAll(own);
            });
    rows.put(History.EVERYTHING, all);
    return rows;
  }

  static Bytes bytes(String text) {
    return Bytes.of(text.getBytes(StandardCharsets.UTF_8));
  }

  static byte[] encode(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  static long decode(byte[] value) {
    return ByteBuffer.wrap(value).getLong();
  }

  private static List<String> names(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(n -> String.format("%s%02d", prefix, n)).toList();
  }
}
