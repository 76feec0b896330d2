package io.lazuli.storage.hbase.commit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lazuli.storage.Bytes;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.Partition;
import io.lazuli.storage.Space;
import io.lazuli.storage.SpaceKind;
import io.lazuli.storage.Ticks;
import io.lazuli.storage.hbase.call.EngineThreads;
import io.lazuli.storage.hbase.call.RegionCalls;
import io.lazuli.storage.hbase.call.RegionScan;
import io.lazuli.storage.hbase.call.RegionServers;
import io.lazuli.storage.hbase.call.RequestSamples;
import io.lazuli.storage.hbase.call.Rows;
import io.lazuli.storage.hbase.call.StoredCell;
import io.lazuli.storage.keys.KeyCodec;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.Durability;

/** The transactions of the engine on {@link FakeRegions}, without the parts around them. */
public final class FakeStore implements AutoCloseable {
  private static final Space SPACE =
      new Space(Space.number(SpaceKind.TABLE, 7), new Partition(Space.CATALOGUE, bytes("home")));

  public final FakeRegions regions = new FakeRegions();
  private final ClusterClock clock =
      new ClusterClock(Ticks::systemNow, System::currentTimeMillis, 0, 0, System::nanoTime);
  private final EngineThreads threads = new EngineThreads();
  private final RegionCalls calls =
      new RegionCalls(
          regions.connection(),
          "n",
          new RegionServers(10_000, 10_000, Duration.ofHours(1), threads, System::nanoTime),
          new RequestSamples(),
          threads);
  private final CommitCalls commitCalls;
  private final Attempts attempts;

  /** Creates a store whose commits are carried out immediately. */
  public FakeStore() {
    this(GatherRule.DEFAULT);
    regions.handle(FakeRegions.Batch::process);
  }

  FakeStore(GatherRule rule) {
    Rows rows = new Rows(calls);
    commitCalls = new CommitCalls(calls, threads, rule);
    attempts =
        new Attempts(
            calls,
            rows,
            new RegionScan(calls),
            new Committer(calls, rows, commitCalls),
            clock,
            Durability.SYNC_WAL,
            threads);
  }

  public RegionCalls calls() {
    return calls;
  }

  public Attempts attempts() {
    return attempts;
  }

  public ClusterClock clock() {
    return clock;
  }

  static Bytes bytes(String text) {
    return Bytes.of(text.getBytes(UTF_8));
  }

  static byte[] key(String partition, String row) {
    return KeyCodec.encode(new Partition(SPACE, bytes(partition)).row(bytes(row)));
  }

  /** Adds one to a counter, which the body reads first. */
  CompletableFuture<Long> increment(String partition, String row) {
    return increment(partition, row, Deadline.after(Duration.ofMinutes(1)));
  }

  CompletableFuture<Long> increment(String partition, String row, Deadline deadline) {
    return attempts.run(
        new Partition(SPACE, bytes(partition)),
        RowHints.NONE,
        deadline,
        view -> {
          byte[] before = view.read(bytes(row));
          long next = before == null ? 1 : Long.parseLong(new String(before, UTF_8)) + 1;
          view.put(bytes(row), Long.toString(next).getBytes(UTF_8));
          return next;
        },
        Contention.NONE,
        new DropPermit(System::nanoTime));
  }

  /** Inserts a row that is probably absent. The result is false if it exists. */
  CompletableFuture<Boolean> insert(String partition, String row, byte[] value) {
    return attempts.run(
        new Partition(SPACE, bytes(partition)),
        new RowHints(List.of(bytes(row)), List.of(bytes(row))),
        Deadline.after(Duration.ofMinutes(1)),
        view -> {
          if (view.read(bytes(row)) != null) {
            return false;
          }
          view.put(bytes(row), value);
          return true;
        },
        Contention.NONE,
        new DropPermit(System::nanoTime));
  }

  /** Returns a counter as it is stored. */
  long counter(String partition, String row) {
    byte[] value = regions.read(key(partition, row)).value();
    return value == null ? 0 : Long.parseLong(new String(value, UTF_8));
  }

  /** Changes a counter as another server would, which has read it before. */
  void overwrite(String partition, String row, long number) {
    byte[] key = key(partition, row);
    StoredCell before = regions.read(key);
    byte[] value = Long.toString(number).getBytes(UTF_8);
    regions.write(
        key,
        new StoredCell(
            StoredCell.encode(before.version() + 1, System.nanoTime(), value),
            Math.max(before.millis() + 1, System.currentTimeMillis())));
  }

  /** Returns the number of commits that wait for others. */
  int waiting() {
    return commitCalls.waiting();
  }

  @Override
  public void close() {
    calls.close();
    threads.close();
  }
}
