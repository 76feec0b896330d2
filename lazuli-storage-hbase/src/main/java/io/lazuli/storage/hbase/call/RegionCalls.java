package io.lazuli.storage.hbase.call;

import io.lazuli.storage.Deadline;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.hbase.call.ServerCall.Patience;
import io.lazuli.storage.metrics.MetricVisitor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.jspecify.annotations.Nullable;

/**
 * Calls to the region of a row, one attempt at a time. The retries of the client library are off:
 * they would hide whether a write was carried out, and they can go back and forth between servers
 * after a split. After each failure the engine reads the location of the region again. No method
 * blocks. Futures complete on workers of the engine, and their failures are not wrapped.
 * Thread-safe.
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

  /** The time limit of callers that set no deadline. */
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private static final int PAUSE_MILLIS_MIN = 20;
  private static final int PAUSE_MILLIS_MAX = 50;

  /**
   * How often the pause is doubled at most. Many calls to a dead server would otherwise keep the
   * server of {@code hbase:meta} busy.
   */
  private static final int DOUBLINGS_MAX = 3;

  /** The same for calls that were refused because the region server or the region is busy. */
  private static final int DOUBLINGS_BUSY_MAX = 6;

  private final Map<StoreTable, AsyncTable<AdvancedScanResultConsumer>> tables =
      new EnumMap<>(StoreTable.class);
  private final RegionServers servers;
  private final RegionLocations locations;
  private final RequestSamples samples;
  private final EngineThreads threads;
  private final LongAdder sent = new LongAdder();
  private final LongAdder repeated = new LongAdder();
  private volatile Admission admission = Admission.ALWAYS;
  private volatile boolean closed;

  public RegionCalls(
      AsyncConnection connection,
      String namespace,
      RegionServers servers,
      RequestSamples samples,
      EngineThreads threads) {
    this.samples = samples;
    this.servers = servers;
    this.threads = threads;
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
    this.locations =
        new RegionLocations(
            table -> table(table).getRegionLocator(),
            connection.getRegionLocator(TableName.META_TABLE_NAME),
            servers);
  }

  /** Asks the admission before each later write, and after each later read. */
  public void admit(Admission newAdmission) {
    admission = newAdmission;
  }

  /** Returns the deadline, or the end of {@link #TIMEOUT} if that is earlier. */
  public static Deadline bounded(Deadline deadline) {
    return deadline.remaining().compareTo(TIMEOUT) > 0 ? Deadline.after(TIMEOUT) : deadline;
  }

  /**
   * Returns the result of a step that several callers share, for a caller with a deadline of its
   * own.
   *
   * @param late the message of the failure {@code TIMEOUT}
   */
  public static <T> CompletableFuture<T> within(
      CompletableFuture<T> shared, Deadline deadline, String late) {
    if (shared.isDone()) {
      return shared;
    }
    long nanos = bounded(deadline).remaining().toNanos();
    return Steps.rescue(
        shared.copy().orTimeout(nanos, TimeUnit.NANOSECONDS),
        failure ->
            CompletableFuture.failedFuture(
                failure instanceof TimeoutException
                    ? new StorageException(StorageException.Kind.TIMEOUT, late)
                    : failure));
  }

  /** Repeats a read until the server that has the region answers it. */
  public <T> CompletableFuture<T> read(
      StoreTable table, byte[] row, Deadline deadline, Call<T> call) {
    Deadline limit = bounded(deadline);
    return new Repetition<>(
            table,
            row,
            limit,
            () -> readOnce(table, row, limit, Patience.UNTIL_DEADLINE, call),
            this::late)
        .start();
  }

  /**
   * Reads rows of one region, with other reads of the same region server, until the server that has
   * the region answers.
   *
   * @param gets not empty
   */
  CompletableFuture<List<Result>> get(StoreTable table, List<Get> gets, Deadline deadline) {
    Deadline limit = bounded(deadline);
    byte[] row = gets.get(0).getRow();
    return new Repetition<>(
            table,
            row,
            limit,
            () ->
                readOnce(
                    table,
                    row,
                    limit,
                    location ->
                        servers
                            .of(location.getServerName())
                            .get(limit, table(table), gets, hasMoved(table, row, location))),
            this::late)
        .start();
  }

  /**
   * Repeats the read of a page, which may consist of several calls. It fails by itself when one of
   * its calls is not answered, so it may run until the deadline.
   */
  public <T> CompletableFuture<T> readPage(
      StoreTable table, byte[] row, Deadline deadline, Call<T> call) {
    Deadline limit = bounded(deadline);
    return new Repetition<>(
            table, row, limit, () -> readOnce(table, row, limit, Patience.PAGE, call), this::late)
        .start();
  }

  /** Repeats the read of a page that may keep the region server busy for long and send little. */
  public <T> CompletableFuture<T> search(
      StoreTable table, byte[] row, Deadline deadline, Call<T> call) {
    Deadline limit = bounded(deadline);
    return new Repetition<>(
            table, row, limit, () -> readOnce(table, row, limit, Patience.SEARCH, call), this::late)
        .start();
  }

  /**
   * Repeats an idempotent call until it is answered. A copy of the call that arrives late must be
   * harmless. Fails with {@code UNKNOWN_OUTCOME} if the call is not answered in time.
   */
  public <T> CompletableFuture<T> repeat(
      StoreTable table, byte[] row, Deadline deadline, Call<T> call) {
    Deadline limit = bounded(deadline);
    return new Repetition<>(
            table,
            row,
            limit,
            () -> write(table, row, limit, call),
            () ->
                new StorageException(
                    StorageException.Kind.UNKNOWN_OUTCOME, "a region did not answer in time"))
        .start();
  }

  /**
   * Groups rows by their regions, as far as known. The failure of a server then delays only the
   * groups of that server. Each answer comes from one server, so it can be checked.
   */
  public <R extends Row> CompletableFuture<Collection<List<R>>> byRegion(
      StoreTable table, List<R> rows, Deadline deadline) {
    Deadline limit = bounded(deadline);
    Map<RegionInfo, List<R>> groups = new LinkedHashMap<>();
    return Steps.map(
        Steps.each(
            rows,
            row ->
                Steps.map(
                    region(table, row.getRow(), limit),
                    region -> groups.computeIfAbsent(region, key -> new ArrayList<>()).add(row))),
        all -> groups.values());
  }

  private CompletableFuture<RegionInfo> region(StoreTable table, byte[] row, Deadline limit) {
    return new Repetition<>(
            table,
            row,
            limit,
            () -> Steps.map(locations.find(table, row, limit), HRegionLocation::getRegion),
            this::late)
        .start();
  }

  /**
   * Makes one attempt at a write. The answer is trusted, because a server that has lost the region
   * cannot carry out a write. Fails with a {@link CallFailure}.
   */
  public <T> CompletableFuture<T> write(
      StoreTable table, byte[] row, Deadline limit, Call<T> call) {
    return write(table, row, limit, call, answer -> true);
  }

  /**
   * Makes one attempt at a conditional write. Returns false if the conditions do not hold; a server
   * that has lost the region may return false as well. Fails with a {@link CallFailure}.
   *
   * @param rows a row of each partition that is written; all are in the region of the first
   */
  public CompletableFuture<Boolean> writeIf(
      StoreTable table, List<byte[]> rows, Deadline limit, Call<Boolean> call) {
    rows.subList(1, rows.size()).forEach(row -> samples.note(table, row));
    return write(table, rows.get(0), limit, call, written -> written);
  }

  /**
   * Returns where the region of a row is, as far as known. Fails with a {@link CallFailure} if it
   * cannot be found.
   */
  public CompletableFuture<HRegionLocation> location(StoreTable table, byte[] row, Deadline limit) {
    requireOpen();
    return locations.find(table, row, limit);
  }

  /**
   * Makes one attempt at a write.
   *
   * @param hasWritten returns true for an answer that proves that the server has the region
   */
  private <T> CompletableFuture<T> write(
      StoreTable table, byte[] row, Deadline limit, Call<T> call, Predicate<T> hasWritten) {
    return Steps.then(
        admitted(table, row, limit, () -> locate(table, row, limit)),
        location -> {
          ServerCall<T> sent = send(table, row, location, limit, Patience.UNTIL_ANSWER, call);
          return Steps.map(
              sent.result(),
              answer -> {
                if (hasWritten.test(answer) && locations.isStillThere(table, row, location)) {
                  sent.confirm();
                }
                return answer;
              });
        });
  }

  private <T> CompletableFuture<T> readOnce(
      StoreTable table, byte[] row, Deadline limit, Patience patience, Call<T> call) {
    return readOnce(
        table, row, limit, location -> send(table, row, location, limit, patience, call));
  }

  /**
   * Makes one attempt at a read. Fails with a {@link CallFailure} if there was no answer, or if the
   * server may have lost the region.
   */
  private <T> CompletableFuture<T> readOnce(
      StoreTable table, byte[] row, Deadline limit, Function<HRegionLocation, ServerCall<T>> send) {
    return Steps.then(
        locate(table, row, limit),
        location -> {
          ServerCall<T> sent = send.apply(location);
          return Steps.then(
              sent.result(),
              answer ->
                  Steps.then(
                      mayBeElsewhere(sent, table, row, location, limit),
                      elsewhere ->
                          admitted(table, row, limit, () -> trusted(sent, answer, elsewhere))));
        });
  }

  /** Goes on once the data of a row may be used. */
  private <T> CompletableFuture<T> admitted(
      StoreTable table, byte[] row, Deadline limit, Supplier<CompletableFuture<T>> next) {
    CompletableFuture<Boolean> admitted = admission.admit(table, row);
    return admitted.isDone() && !admitted.isCompletedExceptionally()
        ? next.get()
        : Steps.then(
            within(admitted, limit, "the format of the store could not be read in time"),
            done -> next.get());
  }

  private CompletableFuture<Boolean> mayBeElsewhere(
      ServerCall<?> sent, StoreTable table, byte[] row, HRegionLocation location, Deadline limit) {
    return sent.needsCheck()
        ? locations.hasMoved(table, row, location, limit)
        : CompletableFuture.completedFuture(!locations.isStillThere(table, row, location));
  }

  private static <T> CompletableFuture<T> trusted(ServerCall<T> sent, T answer, boolean elsewhere) {
    if (elsewhere) {
      return CompletableFuture.failedFuture(new CallFailure("the region has moved"));
    }
    sent.confirm();
    return CompletableFuture.completedFuture(answer);
  }

  private CompletableFuture<HRegionLocation> locate(StoreTable table, byte[] row, Deadline limit) {
    requireOpen();
    sent.increment();
    samples.note(table, row);
    return locations.find(table, row, limit);
  }

  private <T> ServerCall<T> send(
      StoreTable table,
      byte[] row,
      HRegionLocation location,
      Deadline limit,
      Patience patience,
      Call<T> call) {
    return servers
        .of(location.getServerName())
        .call(
            limit,
            patience,
            () -> call.on(table(table), location.getRegion()),
            hasMoved(table, row, location));
  }

  private BooleanSupplier hasMoved(StoreTable table, byte[] row, HRegionLocation location) {
    return () -> !locations.isStillThere(table, row, location);
  }

  /**
   * Pauses, then reads the location of the row's region again if there is time. The lookup is only
   * meant to discard the old location, so its failure does not matter. A busy region has not moved:
   * the pauses are longer then, and {@code hbase:meta} is left alone.
   *
   * @param failures how often the call has failed
   */
  public CompletableFuture<Boolean> recover(
      StoreTable table, byte[] row, Deadline limit, CallFailure failure, int failures) {
    repeated.increment();
    if (failure.meaning() == CallFailure.Meaning.BUSY) {
      int longest = PAUSE_MILLIS_MAX << Math.min(DOUBLINGS_BUSY_MAX, failures - 1);
      return pause(
          Duration.ofMillis(ThreadLocalRandom.current().nextInt(PAUSE_MILLIS_MIN, longest)));
    }
    int doublings = Math.min(DOUBLINGS_MAX, Math.max(0, failures - 1));
    int millis = ThreadLocalRandom.current().nextInt(PAUSE_MILLIS_MIN, PAUSE_MILLIS_MAX);
    return Steps.then(
        pause(Duration.ofMillis((long) millis << doublings)),
        rested ->
            Steps.rescue(
                Steps.map(locations.reload(table, row, limit), found -> true),
                unknown ->
                    closed
                        ? CompletableFuture.failedFuture(CallLane.closed())
                        : CompletableFuture.completedFuture(false)));
  }

  /** Returns a future that completes after a pause. Fails with {@code CLOSED} at the close. */
  public CompletableFuture<Boolean> pause(Duration duration) {
    CompletableFuture<Boolean> end = new CompletableFuture<>();
    threads.executeAfter(
        duration,
        () -> {
          if (closed) {
            end.completeExceptionally(CallLane.closed());
          } else {
            end.complete(true);
          }
        });
    return end;
  }

  /**
   * Returns the failure with which a caller gives up, because repeating the call would fail in the
   * same way or the engine is closed.
   *
   * @return the given failure if the call may be repeated
   */
  public Exception refusal(CallFailure failure) {
    if (failure.meaning() == CallFailure.Meaning.PERMANENT) {
      return new StorageException(
          StorageException.Kind.UNAVAILABLE, String.valueOf(failure.getMessage()), failure);
    }
    return closed ? CallLane.closed() : failure;
  }

  /** Returns the failure of a call that was refused until its deadline. Nothing was done. */
  public static StorageException busy(CallFailure last) {
    return new StorageException(
        StorageException.Kind.UNAVAILABLE, String.valueOf(last.getMessage()), last);
  }

  /** Returns which region servers are overloaded; empty if none is. */
  public String fault() {
    return servers.fault();
  }

  public void requireOpen() {
    if (closed) {
      throw CallLane.closed();
    }
  }

  private AsyncTable<AdvancedScanResultConsumer> table(StoreTable table) {
    return Objects.requireNonNull(tables.get(table));
  }

  /** Fails all calls that are under way or wait, and every later one, with {@code CLOSED}. */
  public void close() {
    closed = true;
    servers.close();
  }

  /** Shows the calls to the region servers. */
  public void metrics(MetricVisitor visitor) {
    servers.metrics(visitor);
    visitor.counter(
        "lazuli_hbase_retries",
        "Failed calls after which the engine looked for the region again, to repeat the call.",
        repeated.sum());
  }

  /** Returns how many calls were made, counting repeated ones and each read of a multi-get. */
  public long sent() {
    return sent.sum();
  }

  public boolean isClosed() {
    return closed;
  }

  private StorageException late() {
    return late("the deadline has passed");
  }

  /**
   * Returns the failure of a request of which nothing was done before its deadline. Its client may
   * well repeat it later if a region server is overloaded.
   */
  public StorageException late(String message) {
    return servers.isOverloaded()
        ? CallLane.unavailable(message + ", and a region server is overloaded")
        : new StorageException(StorageException.Kind.TIMEOUT, message);
  }

  /** Repeats a call until it succeeds, cannot succeed, or its time is up. */
  private final class Repetition<T> {
    private final StoreTable table;
    private final byte[] row;
    private final Deadline limit;
    private final Supplier<CompletableFuture<T>> attempt;
    private final Supplier<StorageException> late;
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private int failures;

    /** The last failure, if it says that the region is busy. */
    private @Nullable CallFailure busy;

    /**
     * @param late makes the failure with which the repetition ends after its deadline
     */
    Repetition(
        StoreTable table,
        byte[] row,
        Deadline limit,
        Supplier<CompletableFuture<T>> attempt,
        Supplier<StorageException> late) {
      this.table = table;
      this.row = row;
      this.limit = limit;
      this.attempt = attempt;
      this.late = late;
    }

    CompletableFuture<T> start() {
      next();
      return result;
    }

    private void next() {
      if (closed) {
        result.completeExceptionally(CallLane.closed());
      } else if (limit.hasPassed()) {
        result.completeExceptionally(busy == null ? late.get() : busy(busy));
      } else {
        Steps.listen(Steps.begin(attempt), result, result::complete, this::failed);
      }
    }

    private void failed(Throwable failure) {
      if (failure instanceof CallFailure call) {
        failed(call);
      } else {
        result.completeExceptionally(failure);
      }
    }

    private void failed(CallFailure failure) {
      Exception refusal = refusal(failure);
      if (refusal != failure) {
        result.completeExceptionally(refusal);
      } else if (failure.meaning() == CallFailure.Meaning.NOT_SENT) {
        next();
      } else {
        failures++;
        busy = failure.meaning() == CallFailure.Meaning.BUSY ? failure : null;
        Steps.listen(recover(table, row, limit, failure, failures), result, recovered -> next());
      }
    }
  }
}
