package io.lazuli.storage.hbase;

import static io.lazuli.storage.contract.EngineFixture.HOME;
import static io.lazuli.storage.contract.EngineFixture.await;
import static io.lazuli.storage.contract.EngineFixture.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.ChunkRef;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.PartitionView;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.Visit;
import io.lazuli.storage.contract.Chunks;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Writers that work until they are stopped, and what a restored store must have of their work. Some
 * write records in batches, some replace chunks and delete the old ones, and some drop spaces.
 */
final class CutWriters {
  private static final int PARTITIONS = 3;
  private static final int DROPPERS = 3;
  private static final int ROWS = 120;
  private static final Bytes FIRST = bytes("a-first");
  private static final Bytes LAST = bytes("z-last");
  private static final Bytes CHUNK = bytes("chunk");

  private final Space table;
  private final Space container;
  private final List<AtomicLong> acknowledged =
      IntStream.range(0, 2 * PARTITIONS).mapToObj(i -> new AtomicLong()).toList();
  private final AtomicLong drops = new AtomicLong();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<CompletableFuture<Void>> running = new ArrayList<>();
  private volatile boolean stopped;

  CutWriters(StorageEngine engine) {
    table = space(engine, SpaceKind.TABLE);
    container = space(engine, SpaceKind.CONTAINER);
  }

  private static Space space(StorageEngine engine, SpaceKind kind) {
    return new Space(await(engine.newSpace(kind, Deadline.NEVER)), HOME);
  }

  void start(StorageEngine engine) {
    stopped = false;
    for (int i = 0; i < PARTITIONS; i++) {
      int number = i;
      run(() -> writeBatch(engine, number));
      run(() -> replaceChunk(engine, number));
    }
    for (int i = 0; i < DROPPERS; i++) {
      run(() -> dropOne(engine));
    }
  }

  private void run(Runnable step) {
    running.add(
        CompletableFuture.runAsync(
            () -> {
              while (!stopped) {
                step.run();
              }
            },
            threads));
  }

  /** Waits until every writer has done some steps. */
  boolean haveBegun() {
    running.stream().filter(CompletableFuture::isCompletedExceptionally).forEach(x -> x.join());
    return acknowledged.stream().allMatch(steps -> steps.get() > 3) && drops.get() > 0;
  }

  void stop() {
    stopped = true;
    running.forEach(CompletableFuture::join);
    running.clear();
  }

  void close() {
    stopped = true;
    threads.shutdownNow();
  }

  List<Long> acknowledged() {
    return acknowledged.stream().map(AtomicLong::get).toList();
  }

  long drops() {
    return drops.get();
  }

  private void writeBatch(StorageEngine engine, int number) {
    long step = acknowledged.get(number).get() + 1;
    change(
        engine,
        new Partition(table, bytes("p" + number)),
        view -> {
          view.put(FIRST, number(step));
          view.put(row(step), number(step));
          view.put(LAST, number(step));
        });
    acknowledged.get(number).set(step);
  }

  private void replaceChunk(StorageEngine engine, int number) {
    AtomicLong steps = acknowledged.get(PARTITIONS + number);
    long step = steps.get() + 1;
    Partition owner = new Partition(container, bytes("b" + number));
    ChunkRef ref = new Chunks(engine.chunks(), owner).append(content(number, step));
    byte[] old = await(engine.read(owner.row(CHUNK), Deadline.NEVER));
    change(
        engine,
        owner,
        view ->
            view.put(CHUNK, ByteBuffer.allocate(16).putLong(step).putLong(ref.number()).array()));
    steps.set(step);
    if (old != null) {
      await(engine.chunks().delete(List.of(new ChunkRef(ByteBuffer.wrap(old).getLong(8)))));
    }
  }

  /** Fills a space, gives it a name, and drops it with its name. */
  private void dropOne(StorageEngine engine) {
    Space space = space(engine, SpaceKind.TABLE);
    Bytes name = bytes("name-" + space.number());
    change(
        engine,
        new Partition(space, bytes("p")),
        view -> {
          for (int i = 0; i < ROWS; i++) {
            view.put(row(i), number(i));
          }
        });
    change(engine, HOME, view -> view.put(name, number(space.number())));
    change(
        engine,
        HOME,
        view -> {
          view.delete(name);
          view.drop(space);
        });
    drops.incrementAndGet();
  }

  /**
   * Requires that a restored store has everything that was acknowledged, and nothing torn.
   *
   * @param floor what was acknowledged before the cut began
   * @return the number of spaces that had a name at the cut
   */
  int verify(StorageEngine restored, List<Long> floor) {
    for (int i = 0; i < PARTITIONS; i++) {
      Partition partition = new Partition(table, bytes("p" + i));
      long first = number(restored, partition, FIRST);
      assertThat(number(restored, partition, LAST)).isEqualTo(first);
      assertThat(first).isBetween(floor.get(i), acknowledged.get(i).get() + 1);
      assertThat(number(restored, partition, row(first))).isEqualTo(first);
      assertThat(number(restored, partition, row(first + 1))).isZero();
      assertThat(count(restored, table, partition)).isEqualTo(first + 2);
      verifyChunk(restored, i, floor.get(PARTITIONS + i));
    }
    int named = 0;
    for (Space space : namedSpaces(restored)) {
      assertThat(count(restored, space, new Partition(space, bytes("p"))))
          .as("records of a space that has a name")
          .isEqualTo(ROWS);
      named++;
    }
    return named;
  }

  private void verifyChunk(StorageEngine restored, int number, long floor) {
    Partition owner = new Partition(container, bytes("b" + number));
    ByteBuffer row = ByteBuffer.wrap(await(restored.read(owner.row(CHUNK), Deadline.NEVER)));
    long step = row.getLong();
    assertThat(step).isBetween(floor, acknowledged.get(PARTITIONS + number).get() + 1);
    assertThat(new Chunks(restored.chunks(), owner).read(new ChunkRef(row.getLong())))
        .isEqualTo(content(number, step));
  }

  private static List<Space> namedSpaces(StorageEngine engine) {
    List<Space> spaces = new ArrayList<>();
    await(
        engine.scan(
            Space.CATALOGUE,
            List.of(KeyRange.ofPartition(HOME.name())),
            Direction.FORWARD,
            Deadline.NEVER,
            record -> {
              if (new String(record.row().copy(), StandardCharsets.UTF_8).startsWith("name-")) {
                spaces.add(new Space(ByteBuffer.wrap(record.value().copy()).getLong(), HOME));
              }
              return Visit.CONTINUE;
            }));
    return spaces;
  }

  private static long count(StorageEngine engine, Space space, Partition partition) {
    AtomicLong count = new AtomicLong();
    await(
        engine.scan(
            space,
            List.of(KeyRange.ofPartition(partition.name())),
            Direction.FORWARD,
            Deadline.NEVER,
            record -> {
              count.incrementAndGet();
              return Visit.CONTINUE;
            }));
    return count.get();
  }

  private static long number(StorageEngine engine, Partition partition, Bytes row) {
    byte[] value = await(engine.read(partition.row(row), Deadline.NEVER));
    return value == null ? 0 : ByteBuffer.wrap(value).getLong();
  }

  private static void change(
      StorageEngine engine, Partition partition, Consumer<PartitionView> body) {
    await(
        engine.transact(
            partition,
            List.of(),
            Deadline.NEVER,
            view -> {
              body.accept(view);
              return true;
            }));
  }

  private static byte[] content(int number, long step) {
    return Chunks.content(100_000 + (int) (step % 3) * 700_000, number * 1_000_003L + step);
  }

  private static Bytes row(long step) {
    return bytes("k%08d".formatted(step));
  }

  private static byte[] number(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }
}
