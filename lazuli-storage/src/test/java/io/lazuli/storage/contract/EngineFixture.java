package io.lazuli.storage.contract;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Direction;
import io.lazuli.storage.EngineConfig;
import io.lazuli.storage.KeyRange;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Position;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.StorageEngine;
import io.lazuli.storage.TransactionBody;
import io.lazuli.storage.Visit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.ToLongBiFunction;
import java.util.function.UnaryOperator;

/**
 * One engine with a clock that the test owns, and shortcuts for what tests do with it. Opens the
 * engine on first use. Mutable, owned by one test.
 */
public final class EngineFixture implements AutoCloseable {
  /** The catalogue partition that is the home of all spaces of the tests. */
  public static final Partition HOME = new Partition(Space.CATALOGUE, bytes("account"));

  private static final long WAIT_SECONDS = 30;

  /** More than any test stores. */
  private static final int SCAN_RECORDS_MAX = 100_000;

  private final Function<EngineConfig, StorageEngine> opener;
  private final ToLongBiFunction<StorageEngine, Space> storedRecords;
  private final ManualClock clock = new ManualClock();
  private EngineConfig config;
  private StorageEngine engine;
  private Partition chunkOwner;

  EngineFixture(
      EngineConfig config,
      Function<EngineConfig, StorageEngine> opener,
      ToLongBiFunction<StorageEngine, Space> storedRecords) {
    this.config = config.withTicks(clock);
    this.opener = opener;
    this.storedRecords = storedRecords;
  }

  /** A record as a scan showed it, copied. */
  public record Seen(Bytes partition, Bytes row, Bytes value) {
    public Position position() {
      return new Position(partition, row);
    }
  }

  public static Bytes bytes(String text) {
    return Bytes.of(text.getBytes(UTF_8));
  }

  public static Bytes bytes(int... values) {
    byte[] array = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      array[i] = (byte) values[i];
    }
    return Bytes.of(array);
  }

  public static Bytes numbered(int number) {
    return bytes(String.format("%06d", number));
  }

  /** Returns the engine that is open now. */
  public StorageEngine engine() {
    if (engine == null) {
      engine = opener.apply(config);
    }
    return engine;
  }

  public ManualClock clock() {
    return clock;
  }

  /** Changes the configuration. Call this before the engine is used. */
  public void configure(UnaryOperator<EngineConfig> change) {
    config = change.apply(config);
  }

  /** Closes the engine and opens it again on the same folder. */
  public void reopen() {
    close();
    engine();
  }

  @Override
  public void close() {
    if (engine != null) {
      engine.close();
      engine = null;
    }
  }

  public long storedRecords(Space space) {
    return storedRecords.applyAsLong(engine(), space);
  }

  /** Returns a new space with {@link #HOME} as its home. */
  public Space newTable() {
    return new Space(await(engine().newSpace(SpaceKind.TABLE, Deadline.NEVER)), HOME);
  }

  /** Returns a partition of a new space. */
  public Partition newPartition() {
    return new Partition(newTable(), bytes("p"));
  }

  /** Returns the chunks of one owner, the same for the whole test. */
  public Chunks chunks() {
    if (chunkOwner == null) {
      chunkOwner =
          new Partition(
              new Space(await(engine().newSpace(SpaceKind.CONTAINER, Deadline.NEVER)), HOME),
              bytes("blob"));
    }
    return new Chunks(engine().chunks(), chunkOwner);
  }

  public <R> CompletableFuture<R> submit(Partition partition, TransactionBody<R> body) {
    return engine().transact(partition, List.of(), Deadline.NEVER, body);
  }

  /** Runs the body and waits. Throws the failure of the engine as it is. */
  public <R> R transact(Partition partition, TransactionBody<R> body) {
    return await(submit(partition, body));
  }

  /** Waits for a future. Throws the failure of the engine as it is. */
  public static <R> R await(CompletableFuture<R> future) {
    try {
      return future.get(WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      if (e.getCause() instanceof Error failure) {
        throw failure;
      }
      throw new AssertionError(e);
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError("no answer", e);
    }
  }

  public void put(Partition partition, Bytes row, Bytes value) {
    transact(
        partition,
        view -> {
          view.put(row, value.array());
          return null;
        });
  }

  public void put(Partition partition, String row, String value) {
    put(partition, bytes(row), bytes(value));
  }

  /** Writes rows from 000000 up to {@code rows}, exclusive, in one transaction. */
  public void fill(Partition partition, int rows, Bytes value) {
    transact(
        partition,
        view -> {
          for (int i = 0; i < rows; i++) {
            view.put(numbered(i), value.array().clone());
          }
          return null;
        });
  }

  public void delete(Partition partition, Bytes row) {
    transact(
        partition,
        view -> {
          view.delete(row);
          return null;
        });
  }

  public void drop(Space space) {
    transact(
        space.requireHome(),
        view -> {
          view.drop(space);
          return null;
        });
  }

  /** Returns the value of a row as text; null if there is no such row. */
  public String read(Partition partition, String row) {
    Bytes value = read(partition, bytes(row));
    return value == null ? null : new String(value.array(), UTF_8);
  }

  public Bytes read(Partition partition, Bytes row) {
    byte[] value = await(engine().read(partition.row(row), Deadline.NEVER));
    return value == null ? null : Bytes.of(value);
  }

  public List<Seen> scan(Partition partition) {
    return scan(
        partition.space(), List.of(KeyRange.ofPartition(partition.name())), Direction.FORWARD);
  }

  public List<Seen> scan(Space space, List<KeyRange> ranges, Direction direction) {
    return scan(space, ranges, direction, seen -> Visit.CONTINUE);
  }

  /** Returns every record that a scan shows to a visitor with these answers. */
  public List<Seen> scan(
      Space space, List<KeyRange> ranges, Direction direction, Function<Seen, Visit> answer) {
    List<Seen> all = new ArrayList<>();
    await(
        engine()
            .scan(
                space,
                ranges,
                direction,
                Deadline.NEVER,
                record -> {
                  Seen seen =
                      new Seen(
                          Bytes.of(record.partition().copy()),
                          Bytes.of(record.row().copy()),
                          Bytes.of(record.value().copy()));
                  all.add(seen);
                  if (all.size() > SCAN_RECORDS_MAX) {
                    throw new AssertionError("a scan without end");
                  }
                  return answer.apply(seen);
                }));
    return all;
  }

  /** Keeps the lane busy until the result is closed. Returns once the lane is busy. */
  public Stall stallLane() {
    Partition partition = newPartition();
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    CompletableFuture<Object> done =
        submit(
            partition,
            view -> {
              started.countDown();
              awaitLatch(released);
              return null;
            });
    awaitLatch(started);
    return new Stall(released, done);
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      if (!latch.await(WAIT_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("waited in vain");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** A body that blocks the lane. */
  public static final class Stall implements AutoCloseable {
    private final CountDownLatch released;
    private final CompletableFuture<?> done;

    private Stall(CountDownLatch released, CompletableFuture<?> done) {
      this.released = released;
      this.done = done;
    }

    /** Lets the lane continue. */
    @Override
    public void close() {
      released.countDown();
      await(done);
    }
  }
}
