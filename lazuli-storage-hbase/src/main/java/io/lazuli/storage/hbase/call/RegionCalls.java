package io.lazuli.storage.hbase.call;

import io.lazuli.storage.Deadline;
import io.lazuli.storage.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Row;
import org.jspecify.annotations.Nullable;

/**
 * Calls to the region of a row, one attempt at a time. The retries of the client library are off:
 * they would hide whether a write was carried out, and they can go back and forth between servers
 * after a split. After each failure the engine reads the location of the region again. Thread-safe.
 * All methods block.
 */
public final class RegionCalls {
  /** One remote call. */
  public interface Call<T> {
    /**
     * Makes the call.
     *
     * @param region the last known region of the row
     */
    CompletableFuture<T> on(AsyncTable<AdvancedScanResultConsumer> table, RegionInfo region);
  }

  private static final Duration RPC_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration OPERATION_TIMEOUT = Duration.ofSeconds(3);

  /** The longest wait for a call; longer than the library waits before it gives up. */
  private static final Duration WAIT_MAX = Duration.ofSeconds(6);

  /** The time limit of callers that set no deadline. */
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private static final int PAUSE_MILLIS_MIN = 20;
  private static final int PAUSE_MILLIS_MAX = 50;

  private final Map<StoreTable, AsyncTable<AdvancedScanResultConsumer>> tables =
      new EnumMap<>(StoreTable.class);
  private final RegionServers servers;
  private final AsyncTableRegionLocator meta;
  private final RequestSamples samples;
  private volatile boolean closed;

  public RegionCalls(
      AsyncConnection connection, String namespace, RegionServers servers, RequestSamples samples) {
    this.samples = samples;
    this.servers = servers;
    this.meta = connection.getRegionLocator(TableName.META_TABLE_NAME);
    for (StoreTable table : StoreTable.values()) {
      tables.put(
          table,
          connection
              .getTableBuilder(table.name(namespace))
              .setMaxAttempts(1)
              .setRpcTimeout(RPC_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
              .setReadRpcTimeout(RPC_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
              .setWriteRpcTimeout(RPC_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
              .setOperationTimeout(OPERATION_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
              .setScanTimeout(OPERATION_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
              .build());
    }
  }

  /** Returns the deadline, or the end of {@link #TIMEOUT} if that is earlier. */
  public static Deadline bounded(Deadline deadline) {
    return deadline.remaining().compareTo(TIMEOUT) > 0 ? Deadline.after(TIMEOUT) : deadline;
  }

  /** Repeats a read until the server that has the region answers it. */
  public <T> T read(StoreTable table, byte[] row, Deadline deadline, Call<T> call) {
    return read(table, row, deadline, call, () -> {});
  }

  /**
   * Repeats a read until the server that has the region answers it.
   *
   * @param inParallel runs while the call is under way, once for each attempt
   */
  <T> T read(StoreTable table, byte[] row, Deadline deadline, Call<T> call, Runnable inParallel) {
    return read(table, row, bounded(deadline), WAIT_MAX, call, inParallel);
  }

  /**
   * Repeats a read that consists of several calls. The read fails by itself when one of its calls
   * is not answered, so it may run until the deadline.
   */
  <T> T readOn(StoreTable table, byte[] row, Deadline deadline, Call<T> call) {
    Deadline limit = bounded(deadline);
    return read(table, row, limit, limit.remaining(), call, () -> {});
  }

  private <T> T read(
      StoreTable table,
      byte[] row,
      Deadline limit,
      Duration waitMax,
      Call<T> call,
      Runnable inParallel) {
    CallingThread thread = CallingThread.current();
    thread.begin();
    try {
      while (true) {
        limit.check();
        try {
          return readOnce(table, row, limit, waitMax, call, inParallel);
        } catch (CallFailure e) {
          requireRepeatable(e);
          recover(table, row, limit);
        }
      }
    } finally {
      thread.end();
    }
  }

  /**
   * Repeats an idempotent call until it is answered. A copy of the call that arrives late must be
   * harmless.
   *
   * @throws StorageException of kind {@code UNKNOWN_OUTCOME} if the call is not answered in time
   */
  public <T> T repeat(StoreTable table, byte[] row, Deadline deadline, Call<T> call) {
    CallingThread thread = CallingThread.current();
    thread.begin();
    try {
      while (!deadline.hasPassed()) {
        try {
          return write(table, row, call);
        } catch (CallFailure e) {
          requireRepeatable(e);
          recover(table, row, deadline);
        }
      }
    } finally {
      thread.end();
    }
    throw new StorageException(
        StorageException.Kind.UNKNOWN_OUTCOME, "a region did not answer in time");
  }

  /**
   * A call that is under way.
   *
   * @param answer the result; if it fails, the call has to be repeated
   */
  public record PendingCall<T>(
      StoreTable table, byte[] row, Call<T> call, CompletableFuture<T> answer) {}

  /** Begins an idempotent call and does not wait for the answer. */
  public <T> PendingCall<T> begin(StoreTable table, byte[] row, Call<T> call) {
    requireOpen();
    samples.note(table, row);
    WorkerKind kind = CallingThread.current().kind();
    CompletableFuture<T> answer =
        table(table)
            .getRegionLocator()
            .getRegionLocation(row, false)
            .thenCompose(
                location -> {
                  RegionServers.ServerCall serverCall =
                      servers.beginUnawaited(kind, location.getServerName());
                  return call.on(table(table), location.getRegion())
                      .whenComplete(ending(serverCall));
                });
    return new PendingCall<>(table, row, call, answer);
  }

  /** Waits for a call that was begun. Returns empty if it failed. */
  public <T> Optional<T> outcome(PendingCall<T> pending) {
    requireOpen();
    try {
      return Optional.of(await(pending.answer, WAIT_MAX));
    } catch (CallFailure e) {
      return Optional.empty();
    }
  }

  /** Waits for a call that was begun. If it failed, repeats it as {@link #repeat} does. */
  public <T> T finish(PendingCall<T> pending, Deadline deadline) {
    return outcome(pending)
        .orElseGet(
            () -> {
              recover(pending.table, pending.row, deadline);
              return repeat(pending.table, pending.row, deadline, pending.call);
            });
  }

  /** Ends a server call when its answer arrives, even if no thread waits for it. */
  private static <T> BiConsumer<T, @Nullable Throwable> ending(
      RegionServers.ServerCall serverCall) {
    return (answer, failure) ->
        serverCall.end(
            failure == null ? RegionServers.Liveness.ALIVE : CallFailure.liveness(failure));
  }

  /**
   * Groups rows by their regions, as far as known. The failure of a server then delays only the
   * groups of that server. Each answer comes from one server, so it can be checked.
   */
  public <R extends Row> Collection<List<R>> byRegion(
      StoreTable table, List<R> rows, Deadline deadline) {
    Map<RegionInfo, List<R>> groups = new LinkedHashMap<>();
    for (R row : rows) {
      RegionInfo region = region(table, row.getRow(), deadline);
      groups.computeIfAbsent(region, key -> new ArrayList<>()).add(row);
    }
    return groups.values();
  }

  private RegionInfo region(StoreTable table, byte[] row, Deadline deadline) {
    CallingThread thread = CallingThread.current();
    thread.begin();
    try {
      while (true) {
        requireOpen();
        deadline.check();
        try {
          return find(table, row, within(deadline)).getRegion();
        } catch (CallFailure e) {
          requireRepeatable(e);
          recover(table, row, deadline);
        }
      }
    } finally {
      thread.end();
    }
  }

  /**
   * Makes one attempt at a write. The answer is trusted, because a server that has lost the region
   * cannot carry out a write.
   */
  public <T> T write(StoreTable table, byte[] row, Call<T> call) throws CallFailure {
    return write(table, row, call, answer -> true);
  }

  /**
   * Makes one attempt at a conditional write.
   *
   * @return false if the conditions do not hold; a server that has lost the region may return false
   *     as well
   */
  public boolean writeIf(StoreTable table, byte[] row, Call<Boolean> call) throws CallFailure {
    return write(table, row, call, written -> written);
  }

  /**
   * Makes one attempt at a write.
   *
   * @param hasWritten returns true for an answer that proves that the server has the region
   */
  private <T> T write(StoreTable table, byte[] row, Call<T> call, Predicate<T> hasWritten)
      throws CallFailure {
    requireOpen();
    samples.note(table, row);
    CallingThread thread = CallingThread.current();
    thread.begin();
    try {
      HRegionLocation location = find(table, row, WAIT_MAX);
      RegionServers.ServerCall serverCall = servers.begin(thread, location.getServerName());
      // The wait does not end at the deadline: an answer that comes a little later settles the
      // outcome.
      T answer =
          await(
              call.on(table(table), location.getRegion()).whenComplete(ending(serverCall)),
              WAIT_MAX);
      if (hasWritten.test(answer) && isStillThere(table, row, location)) {
        serverCall.confirm();
      }
      return answer;
    } finally {
      thread.end();
    }
  }

  /**
   * Makes one attempt at a read.
   *
   * @throws CallFailure if there was no answer, or if the server may have lost the region
   */
  private <T> T readOnce(
      StoreTable table,
      byte[] row,
      Deadline limit,
      Duration waitMax,
      Call<T> call,
      Runnable inParallel)
      throws CallFailure {
    requireOpen();
    samples.note(table, row);
    HRegionLocation location = find(table, row, within(limit));
    RegionServers.ServerCall serverCall =
        servers.begin(CallingThread.current(), location.getServerName());
    CompletableFuture<T> sent = call.on(table(table), location.getRegion());
    CompletableFuture<T> coming = sent.whenComplete(ending(serverCall));
    T answer;
    try {
      inParallel.run();
      answer = await(coming, min(waitMax, limit.remaining()));
    } finally {
      // Ends the scan if the call was one: its page is not needed any more.
      sent.cancel(false);
    }
    if (serverCall.needsCheck()
        ? hasMoved(table, row, location, limit)
        : !isStillThere(table, row, location)) {
      throw new CallFailure("the region has moved");
    }
    serverCall.confirm();
    return answer;
  }

  /**
   * Returns true if the known location of the region is still the one that the call was meant for.
   * If it is not, another thread may have updated it before the call was sent, and another server
   * may have answered.
   */
  private boolean isStillThere(StoreTable table, byte[] row, HRegionLocation before) {
    CompletableFuture<HRegionLocation> known =
        table(table).getRegionLocator().getRegionLocation(row, false);
    if (!known.isDone() || known.isCompletedExceptionally()) {
      return false;
    }
    HRegionLocation now = known.join();
    return now != null
        && now.getSeqNum() == before.getSeqNum()
        && before.getServerName().equals(now.getServerName());
  }

  /** Returns the known location of the row's region. Asks {@code hbase:meta} if it is not known. */
  private HRegionLocation find(StoreTable table, byte[] row, Duration waitMax) throws CallFailure {
    CompletableFuture<HRegionLocation> asked =
        table(table).getRegionLocator().getRegionLocation(row, false);
    try {
      return asked.isDone() ? requireServed(await(asked, waitMax)) : ask(asked, waitMax);
    } catch (CallFailure e) {
      throw e.beforeTheCall();
    }
  }

  private HRegionLocation ask(CompletableFuture<HRegionLocation> asked, Duration waitMax)
      throws CallFailure {
    RegionServers.ServerCall serverCall = servers.beginMeta(CallingThread.current());
    return requireServed(await(asked.whenComplete(ending(serverCall)), waitMax));
  }

  /** Pauses, then reads the location of the row's region again. */
  public void recover(StoreTable table, byte[] row) {
    recover(table, row, Deadline.NEVER);
  }

  /** Pauses, then reads the location of the row's region again if there is time. */
  public void recover(StoreTable table, byte[] row, Deadline limit) {
    int millis = ThreadLocalRandom.current().nextInt(PAUSE_MILLIS_MIN, PAUSE_MILLIS_MAX);
    pause(Duration.ofMillis(millis));
    requireOpen();
    try {
      locate(table, row, within(limit));
    } catch (CallFailure e) {
      // The lookup was only meant to discard the old location. The next attempt asks again.
      return;
    }
  }

  /** Throws if repeating the call would fail in the same way, or if the engine is closed. */
  public void requireRepeatable(CallFailure failure) {
    if (failure.meaning() == CallFailure.Meaning.PERMANENT) {
      throw new StorageException(
          StorageException.Kind.UNAVAILABLE, String.valueOf(failure.getMessage()), failure);
    }
    requireOpen();
  }

  public void requireOpen() {
    if (closed) {
      throw new StorageException(StorageException.Kind.CLOSED, "the engine is closed");
    }
  }

  private AsyncTable<AdvancedScanResultConsumer> table(StoreTable table) {
    return Objects.requireNonNull(tables.get(table));
  }

  /** Makes every later call fail with {@code CLOSED}. */
  public void close() {
    closed = true;
  }

  public boolean isClosed() {
    return closed;
  }

  public static void pause(Duration duration) {
    LockSupport.parkNanos(duration.toNanos());
  }

  /**
   * Returns true if the region is on another server now. Reads the location of {@code hbase:meta}
   * from ZooKeeper first, because a server that has lost the region may have lost {@code
   * hbase:meta} too.
   */
  private boolean hasMoved(StoreTable table, byte[] row, HRegionLocation before, Deadline limit)
      throws CallFailure {
    await(meta.getRegionLocation(HConstants.EMPTY_START_ROW, true), within(limit));
    HRegionLocation now = locate(table, row, within(limit));
    return !now.getServerName().equals(before.getServerName());
  }

  private HRegionLocation locate(StoreTable table, byte[] row, Duration waitMax)
      throws CallFailure {
    return requireServed(
        await(table(table).getRegionLocator().getRegionLocation(row, true), waitMax));
  }

  private static HRegionLocation requireServed(@Nullable HRegionLocation location)
      throws CallFailure {
    if (location == null || location.getServerName() == null) {
      throw new CallFailure("no server has the region");
    }
    return location;
  }

  private static Duration within(Deadline limit) {
    return min(WAIT_MAX, limit.remaining());
  }

  private static Duration min(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  /**
   * Waits for an answer of the library. An interrupt does not end the wait; it is restored
   * afterwards.
   */
  private static <T> T await(CompletableFuture<T> future, Duration max) throws CallFailure {
    boolean interrupted = false;
    long end = System.nanoTime() + max.toNanos();
    try {
      while (true) {
        try {
          return future.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      throw CallFailure.of(e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException e) {
      throw CallFailure.of(e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
