package io.lazuli.storage.hbase.format;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.storage.Bytes;
import io.lazuli.storage.DataFormat;
import io.lazuli.storage.Deadline;
import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.StorageException;
import io.lazuli.storage.hbase.call.Admission;
import io.lazuli.storage.hbase.call.Rows;
import io.lazuli.storage.hbase.call.Steps;
import io.lazuli.storage.hbase.call.StoreTable;
import io.lazuli.storage.hbase.commit.Attempts;
import io.lazuli.storage.hbase.commit.OwnRows;
import io.lazuli.storage.hbase.format.FormatRow.Member;
import io.lazuli.storage.keys.KeyCodec;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The format of the store, as this server knows it, and the right of this server to use the store.
 * Never blocks, except where a method says so. Thread-safe.
 *
 * <p>All servers of a store are members in one row, which also has the format. A member says which
 * format it allows, and renews its lease from time to time. Each renewal raises the format to what
 * all members allow. A member is ignored, and removed, once its lease must have ended: another
 * server has seen no renewal for a quarter longer than the lease, by its own monotonic clock. The
 * row changes in one transaction, so a server cannot join or renew while the format rises.
 *
 * <p>A server uses the store only while its lease is valid. The lease counts from the moment when
 * the renewal was <em>sent</em>. Every read is checked after its answer, and every write before it
 * is sent. So a server that was paused while the format rose finds its lease ended, renews, meets
 * the new number, and gives up before it uses what it has read. A write that it had sent before can
 * still arrive late. It has the old format, which every version reads. See
 * docs/decisions/0087-format-of-a-cluster.md.
 */
public final class StoreFormat implements Admission {
  /** The row, which servers change one after another. */
  interface StoredRow {
    /** Replaces the row by what the function makes of it, which may be called several times. */
    CompletableFuture<FormatRow> change(Duration timeMax, Function<FormatRow, FormatRow> change);
  }

  private static final Logger log = LoggerFactory.getLogger(StoreFormat.class);
  private static final byte[] ROW = KeyCodec.encode(OwnRows.STORE.row(OwnRows.FORMAT));

  /** The row by which transactions on the partition of the store find their region. */
  private static final byte[] PARTITION = KeyCodec.encode(OwnRows.STORE.row(Bytes.EMPTY));

  private static final CompletableFuture<Boolean> ADMITTED =
      CompletableFuture.completedFuture(true);
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  /** A stop must not take long if the cluster is away. The lease then ends by itself. */
  private static final Duration LEAVE_TIMEOUT = Duration.ofSeconds(3);

  private static final Duration RENEWAL_MAX = Duration.ofMinutes(1);

  /** A lease is renewed several times before it ends. */
  private static final int RENEWALS = 6;

  /** A member is ignored after its lease and this part of it, because clocks differ. */
  private static final int MARGIN_DIVISOR = 4;

  private static final String CLOSED = "the engine is closed";

  private final StoredRow stored;
  private final FormatSettings settings;
  private final int newest;
  private final LongSupplier nanoTime;
  private final Consumer<String> report;
  private volatile int number;

  /** When the last renewal that succeeded was sent. */
  private volatile long renewedNanos;

  /** Why this server must not use the store any more; empty if it may. */
  private volatile String refusal = "";

  @GuardedBy("this")
  private Member mine;

  @GuardedBy("this")
  private @Nullable CompletableFuture<Boolean> running;

  /** When this server first saw each member as it is. */
  @GuardedBy("this")
  private final Map<Member, Long> firstSeen = new HashMap<>();

  public StoreFormat(Attempts attempts, FormatSettings settings) {
    this(
        (timeMax, change) -> run(attempts, timeMax, change, DataFormat.newest()),
        settings,
        DataFormat.newest(),
        System::nanoTime,
        log::error);
  }

  /**
   * @param newest the newest format that this version reads
   * @param report takes a line for the log if this server must not use the store any more
   */
  StoreFormat(
      StoredRow stored,
      FormatSettings settings,
      int newest,
      LongSupplier nanoTime,
      Consumer<String> report) {
    this.stored = stored;
    this.settings = settings;
    this.newest = newest;
    this.nanoTime = nanoTime;
    this.report = report;
    this.mine =
        new Member(
            ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE),
            Math.min(settings.max(), newest),
            Math.toIntExact(settings.lease().toSeconds()),
            0);
  }

  /**
   * Throws if the format of the store is newer than this version. Reads only, and blocks.
   *
   * @throws EngineOpenException with one line for the operator
   */
  public static void requireReadable(Rows rows, String namespace, Deadline deadline) {
    int found = read(rows, deadline);
    if (found > DataFormat.newest()) {
      throw new EngineOpenException(
          "the store in the namespace " + namespace + " has " + tooNew(found, DataFormat.newest()),
          null);
    }
  }

  /** Returns the format that the store has now. Blocks. */
  public static int read(Rows rows, Deadline deadline) {
    return FormatRow.number(
        Steps.await(rows.read(OwnRows.STORE, OwnRows.FORMAT, deadline)).value());
  }

  /** Returns the value of the row in a store that no server uses yet. */
  public static byte[] initial(int number) {
    return new FormatRow(number, List.of()).encode();
  }

  /** Describes a format that this version does not read. */
  public static String tooNew(int found) {
    return tooNew(found, DataFormat.newest());
  }

  private static String tooNew(int found, int newest) {
    return ("data format %d, but this server reads data formats up to %d: start the version that"
            + " raised it or a newer one")
        .formatted(found, newest);
  }

  /**
   * Joins the servers that use the store. Blocks.
   *
   * @throws EngineOpenException if the format was raised since {@link #requireReadable}
   */
  public void join() {
    boolean unused = Steps.await(renew());
    if (!refusal.isEmpty()) {
      throw new EngineOpenException(refusal, null);
    }
  }

  /** Begins a renewal. If it fails, the next one comes before the lease ends. */
  public void begin() {
    CompletableFuture<Boolean> unused = renew();
  }

  /** Returns the time between two renewals. */
  public Duration renewal() {
    Duration part = settings.lease().dividedBy(RENEWALS);
    return part.compareTo(RENEWAL_MAX) < 0 ? part : RENEWAL_MAX;
  }

  /** Returns the format of the store, as of the last renewal. */
  public int number() {
    return number;
  }

  /** Returns why this server must not use the store any more; empty if it may. */
  public String fault() {
    return refusal;
  }

  @Override
  public CompletableFuture<Boolean> admit(StoreTable table, byte[] row) {
    if (isValid() || isOwn(table, row)) {
      return ADMITTED;
    }
    return Steps.then(
        refusal.isEmpty() ? renew() : ADMITTED,
        renewed -> isValid() ? ADMITTED : CompletableFuture.failedFuture(refused()));
  }

  /** Renews the lease. A renewal that is under way is shared. */
  public CompletableFuture<Boolean> renew() {
    CompletableFuture<Boolean> end = new CompletableFuture<>();
    synchronized (this) {
      if (running != null) {
        return running;
      }
      running = end;
      mine = mine.renewed();
    }
    long sent = nanoTime.getAsLong();
    Steps.listen(
        Steps.begin(() -> stored.change(TIMEOUT, this::renewed)),
        end,
        row -> {
          took(row, sent);
          ended();
          end.complete(true);
        },
        failure -> {
          ended();
          end.completeExceptionally(failure);
        });
    return end;
  }

  /** Leaves the servers that use the store, after which this server must not use it. Blocks. */
  public void leave() {
    refusal = CLOSED;
    long id;
    synchronized (this) {
      id = mine.id();
    }
    FormatRow unused =
        Steps.await(
            stored.change(LEAVE_TIMEOUT, row -> row.number() > newest ? row : row.without(id)));
  }

  /** Returns true if this server may use the store without a renewal. */
  boolean isValid() {
    return refusal.isEmpty() && nanoTime.getAsLong() - renewedNanos < settings.lease().toNanos();
  }

  private StorageException refused() {
    String reason = refusal;
    return new StorageException(
        reason.equals(CLOSED) ? StorageException.Kind.CLOSED : StorageException.Kind.UNAVAILABLE,
        reason.isEmpty() ? "it is not known whether the format of the store has changed" : reason);
  }

  private synchronized void ended() {
    running = null;
  }

  /** A renewal reads and writes these rows, so it must not wait for itself. */
  private static boolean isOwn(StoreTable table, byte[] row) {
    return table == StoreTable.CATALOG
        && (Arrays.equals(row, ROW) || Arrays.equals(row, PARTITION));
  }

  private FormatRow renewed(FormatRow row) {
    if (row.number() > newest) {
      return row;
    }
    synchronized (this) {
      return row.renewed(mine, gone(row));
    }
  }

  /** Returns the members whose leases have ended. */
  @GuardedBy("this")
  private List<Member> gone(FormatRow row) {
    long now = nanoTime.getAsLong();
    firstSeen.keySet().retainAll(row.members());
    row.members().forEach(each -> firstSeen.putIfAbsent(each, now));
    return firstSeen.entrySet().stream()
        .filter(each -> now - each.getValue() > silenceMax(each.getKey()).toNanos())
        .map(Map.Entry::getKey)
        .toList();
  }

  private static Duration silenceMax(Member member) {
    Duration lease = Duration.ofSeconds(member.leaseSeconds());
    return lease.plus(lease.dividedBy(MARGIN_DIVISOR));
  }

  private void took(FormatRow row, long sent) {
    if (row.number() > newest) {
      String reason = "the store has " + tooNew(row.number(), newest);
      if (number != 0 && refusal.isEmpty()) {
        report.accept("this server does not use the store any more: " + reason);
      }
      refusal = reason;
      return;
    }
    if (number != 0 && row.number() != number) {
      log.info("the store had data format {} and has data format {} now", number, row.number());
    }
    number = row.number();
    renewedNanos = sent;
  }

  private static CompletableFuture<FormatRow> run(
      Attempts attempts, Duration timeMax, Function<FormatRow, FormatRow> change, int newest) {
    return attempts.run(
        OwnRows.STORE,
        Deadline.after(timeMax),
        view -> {
          byte[] value = view.condition(OwnRows.FORMAT).value();
          FormatRow before =
              FormatRow.number(value) > newest
                  ? new FormatRow(FormatRow.number(value), List.of())
                  : FormatRow.decode(value);
          FormatRow after = change.apply(before);
          if (value == null || !after.equals(before)) {
            view.putOwn(OwnRows.FORMAT, after.encode());
          }
          return after;
        });
  }
}
