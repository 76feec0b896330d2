package io.lazuli.storage.hbase.reclaim;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.hbase.balance.BalanceStep;
import io.lazuli.storage.hbase.balance.RegionSample;
import io.lazuli.storage.keys.KeyCodec;
import io.lazuli.storage.keys.KeyInterval;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Records, regions and drops in memory. Behaves like a cluster, and can refuse operations. */
final class FakeSpaces implements SpaceRows, DropLedger {
  static final long ROW_BYTES = 100;

  /** More than any limit of the tests. */
  private static final int ROWS_COUNTED_MAX = 10_000;

  private static final Partition HOME = new Partition(Space.CATALOGUE, Bytes.of(new byte[] {7}));

  final NavigableSet<Bytes> keys = new TreeSet<>();
  final NavigableSet<Bytes> boundaries = new TreeSet<>(List.of(Bytes.EMPTY));
  final NavigableMap<Bytes, byte[]> drops = new TreeMap<>();

  /** The keys at which the pages of each space began. */
  final Map<Long, List<Bytes>> begun = new HashMap<>();

  final Set<Long> broken = new HashSet<>();
  final List<BalanceStep> operations = new ArrayList<>();
  boolean truncates = true;

  /** How many of the next cuts are refused. */
  int refusals;

  Runnable beforePage = () -> {};

  /** Adds rows to a space, in partitions of a thousand. */
  void fill(long space, int rows) {
    for (int i = 0; i < rows; i++) {
      keys.add(key(space, i));
    }
  }

  static Bytes key(long space, int row) {
    Bytes partition = Bytes.of(ByteBuffer.allocate(4).putInt(0x10101010 + row / 1_000).array());
    Bytes name = Bytes.of(ByteBuffer.allocate(4).putInt(row).array());
    return Bytes.of(KeyCodec.encode(space, partition, name));
  }

  /** Returns the first key of a partition. A region may begin there. */
  static Bytes partition(long space, int row) {
    byte[] key = key(space, row).array();
    return Bytes.of(Arrays.copyOf(key, KeyCodec.partitionEnd(key, key.length)));
  }

  void drop(long space, long millis) {
    drops.put(dropKey(space), ByteBuffer.allocate(Long.BYTES).putLong(millis).array());
  }

  Optional<Drop> recorded(long space) {
    byte[] value = drops.get(dropKey(space));
    return value == null ? Optional.empty() : Optional.of(drop(dropKey(space), value));
  }

  long stored(long space) {
    KeyInterval interval = KeyInterval.ofSpace(space);
    return keys.subSet(interval.from(), interval.to()).size();
  }

  private static Bytes dropKey(long space) {
    return Bytes.of(ByteBuffer.allocate(Long.BYTES).putLong(space).array());
  }

  private static Drop drop(Bytes key, byte[] value) {
    return Drop.decode(key, HOME, ByteBuffer.wrap(key.array()).getLong(), value);
  }

  @Override
  public List<Drop> next(Bytes from, int max) {
    return drops.tailMap(from, true).entrySet().stream()
        .limit(max)
        .map(entry -> drop(entry.getKey(), entry.getValue()))
        .toList();
  }

  @Override
  public void record(Drop drop) {
    drops.replace(drop.key(), drop.encode());
  }

  @Override
  public void forget(Drop drop) {
    drops.remove(drop.key());
  }

  @Override
  public Page keys(long space, Bytes from, int max) {
    beforePage.run();
    if (broken.contains(space)) {
      throw new StorageException(StorageException.Kind.TIMEOUT, "on purpose");
    }
    begun.computeIfAbsent(space, same -> new ArrayList<>()).add(from);
    Bytes end = KeyInterval.ofSpace(space).to();
    Bytes region = regionAt(from).to();
    Bytes stop = region.length() > 0 && region.compareTo(end) < 0 ? region : end;
    List<byte[]> page = keys.subSet(from, stop).stream().limit(max).map(Bytes::array).toList();
    return page.size() < max
        ? new Page(page, stop, true)
        : new Page(page, Bytes.of(page.get(max - 1)).successor(), false);
  }

  @Override
  public void delete(long space, List<byte[]> some) {
    some.forEach(key -> keys.remove(Bytes.of(key)));
  }

  @Override
  public boolean canTruncate() {
    return truncates;
  }

  @Override
  public Optional<RegionSample> region(long space, Bytes key) {
    return Optional.of(regionAt(key));
  }

  RegionSample regionAt(Bytes key) {
    Bytes from = boundaries.floor(key);
    Bytes to = boundaries.higher(key);
    Bytes end = to == null ? Bytes.EMPTY : to;
    Bytes name = Bytes.of((from + "-" + end).getBytes(StandardCharsets.US_ASCII));
    return new RegionSample("tables", name, from, end, "server", 0, 0, bytes(from, to));
  }

  private long bytes(Bytes from, Bytes to) {
    NavigableSet<Bytes> rows =
        to == null ? keys.tailSet(from, true) : keys.subSet(from, true, to, false);
    return rows.stream().limit(ROWS_COUNTED_MAX).count() * ROW_BYTES;
  }

  @Override
  public boolean truncate(BalanceStep.Truncate step) {
    RegionSample region = step.region();
    operations.add(step);
    if (!regionAt(region.from()).name().equals(region.name())) {
      return false;
    }
    keys.removeIf(region::contains);
    return true;
  }

  @Override
  public void cut(BalanceStep.CutOut step) {
    if (refusals > 0) {
      refusals--;
      return;
    }
    operations.add(step);
    boundaries.add(step.at());
  }
}
