package io.lazuli.server.audit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.lazuli.server.event.OperationType;
import io.lazuli.server.event.RequestEvent;
import io.lazuli.server.event.RequestListener;
import io.lazuli.server.event.RequestPart;
import io.lazuli.server.event.RequestSource;
import io.lazuli.storage.thread.BackgroundThread;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The audit. A line is queued once the answer of its request is there, and a thread writes the
 * queued lines within a fraction of a second, so no request waits for it. The memory of the queue
 * is bounded: lines that do not fit are counted, and a line, a metric and {@code /health} say how
 * many were lost. Requests of senders whom the server did not verify get only some lines per
 * second, because strangers could otherwise fill the files; the others are counted likewise.
 * Thread-safe.
 */
public final class AuditLog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);

  /** The most memory of entries that wait. */
  static final int QUEUE_BYTES_MAX = 4 << 20;

  /** The time in which entries gather before they are written. */
  static final Duration LINGER = Duration.ofMillis(20);

  /** The longest time until written lines are forced to disk. */
  static final Duration SYNC_PERIOD = Duration.ofSeconds(1);

  /** The most lines about strangers in a second, on average. */
  static final int STRANGERS_PER_SECOND = 10;

  /** The most lines about strangers at a time. */
  static final int STRANGERS_BURST = 100;

  private static final Duration CLOSE_TIME_MAX = Duration.ofSeconds(5);

  private final @Nullable AuditFile file;
  private final LongSupplier millis;
  private final BackgroundThread thread = new BackgroundThread("audit", LOG::error);
  private final BackgroundThread.Job writing;
  private final LongAdder written = new LongAdder();

  @GuardedBy("this")
  private final Queue<AuditEntry> queue = new ArrayDeque<>();

  @GuardedBy("this")
  private long weight;

  @GuardedBy("this")
  private long lost;

  @GuardedBy("this")
  private long omitted;

  /** The lines about strangers that may be written now. */
  @GuardedBy("this")
  private double strangers = STRANGERS_BURST;

  @GuardedBy("this")
  private long strangersMillis;

  /** Lines that the file did not take yet. Used by the thread only, as all fields below. */
  private byte[] pending = new byte[0];

  private long pendingLines;
  private long pendingWeight;
  private long reportedLost;
  private long reportedOmitted;
  private boolean lingering;
  private long syncedNanos = System.nanoTime();

  private AuditLog(@Nullable AuditFile file, LongSupplier millis) {
    this.file = file;
    this.millis = millis;
    this.writing = thread.repeat(BackgroundThread.UNTIL_WOKEN, SYNC_PERIOD, this::step);
  }

  /**
   * Opens the audit.
   *
   * @param millis the time, in milliseconds since 1970
   * @throws IOException if the file cannot be written
   */
  public static AuditLog open(AuditConfig config, LongSupplier millis) throws IOException {
    AuditLog log = new AuditLog(config.file() == null ? null : new AuditFile(config), millis);
    if (log.isOn()) {
      log.thread.start();
    }
    return log;
  }

  /** Returns an audit without a file. */
  public static AuditLog off() {
    return new AuditLog(null, () -> 0);
  }

  public boolean isOn() {
    return file != null;
  }

  /**
   * Adds lines for the changes that requests make.
   *
   * @param service the label of the service
   */
  public RequestListener of(String service) {
    return (event, source) -> take(service, event, source);
  }

  private void take(String service, RequestEvent event, RequestSource source) {
    OperationType known = event.operation();
    OperationType operation = known == null ? source.operationByLine() : known;
    if (isChange(operation, event)) {
      String target = source.target();
      int query = target.indexOf('?');
      String path = query < 0 ? target : target.substring(0, query);
      add(entry(service, operation, event, path, source));
    }
    for (RequestPart part : event.parts()) {
      OperationType own = part.event().operation();
      add(entry(service, own == null ? operation : own, part.event(), part.path(), source));
    }
  }

  private AuditEntry entry(
      String service,
      OperationType operation,
      RequestEvent event,
      String path,
      RequestSource source) {
    return AuditEntry.of(millis.getAsLong(), service, operation, event, path, source.peerAddress());
  }

  /**
   * Returns whether a request changed something, or would have. A change that found nothing to
   * change, such as Get Messages of an empty queue, is not one.
   */
  private static boolean isChange(OperationType operation, RequestEvent event) {
    boolean done = event.status() < 300;
    return operation.isAudited() && (!done || operation.changed(event.entitiesReturned()));
  }

  /** Adds a line for a change that no request made. */
  public void change(String operation, String account, String what) {
    add(AuditEntry.ofServer(millis.getAsLong(), operation, account, what));
  }

  private void add(AuditEntry entry) {
    if (file == null) {
      return;
    }
    boolean wake;
    synchronized (this) {
      if (entry.isOfStranger() && !mayAddStranger(entry.millis())) {
        omitted++;
        return;
      }
      int more = entry.weight();
      if (weight + more > QUEUE_BYTES_MAX) {
        lost++;
        return;
      }
      long half = QUEUE_BYTES_MAX / 2;
      wake = queue.isEmpty() || (weight < half && weight + more >= half);
      queue.add(entry);
      weight += more;
    }
    if (wake) {
      writing.wake();
    }
  }

  @GuardedBy("this")
  private boolean mayAddStranger(long now) {
    double earned = Math.max(0, now - strangersMillis) * STRANGERS_PER_SECOND / 1_000.0;
    strangers = Math.min(STRANGERS_BURST, strangers + earned);
    strangersMillis = now;
    if (strangers < 1) {
      return false;
    }
    strangers--;
    return true;
  }

  private Duration step() throws IOException {
    if (pending.length == 0 && isEmpty()) {
      sync();
      return BackgroundThread.UNTIL_WOKEN;
    } else if (!lingering && !isHalfFull()) {
      lingering = true;
      return LINGER;
    }
    lingering = false;
    write();
    if (System.nanoTime() - syncedNanos >= SYNC_PERIOD.toNanos()) {
      sync();
    }
    return SYNC_PERIOD;
  }

  private synchronized boolean isEmpty() {
    return queue.isEmpty();
  }

  private synchronized boolean isHalfFull() {
    return weight >= QUEUE_BYTES_MAX / 2;
  }

  private void sync() throws IOException {
    syncedNanos = System.nanoTime();
    if (file != null) {
      file.sync();
    }
  }

  /** Writes everything that is queued. Lines that the file does not take stay pending. */
  private void write() throws IOException {
    while (pending.length > 0 || !isEmpty()) {
      if (pending.length == 0) {
        drain();
      }
      if (file != null) {
        file.write(pending);
      }
      written.add(pendingLines);
      release();
    }
  }

  private synchronized void release() {
    weight -= pendingWeight;
    pendingWeight = 0;
    pendingLines = 0;
    pending = new byte[0];
  }

  private void drain() {
    List<AuditEntry> entries;
    long lostNow;
    long omittedNow;
    synchronized (this) {
      entries = List.copyOf(queue);
      queue.clear();
      lostNow = lost;
      omittedNow = omitted;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    if (lostNow > reportedLost) {
      count("LinesLost", lostNow - reportedLost, out);
      reportedLost = lostNow;
    }
    if (omittedNow > reportedOmitted) {
      count("LinesOmitted", omittedNow - reportedOmitted, out);
      reportedOmitted = omittedNow;
    }
    for (AuditEntry entry : entries) {
      AuditLines.write(entry, out);
      pendingWeight += entry.weight();
      pendingLines++;
    }
    pending = out.toByteArray();
  }

  private void count(String operation, long lines, ByteArrayOutputStream out) {
    AuditLines.write(AuditEntry.ofServer(millis.getAsLong(), operation, "", lines + " lines"), out);
    pendingLines++;
  }

  /** Returns the number of written lines. */
  public long writtenLines() {
    return written.sum();
  }

  /** Returns the number of lines that were lost since the start, because the queue was full. */
  public synchronized long lostLines() {
    return lost;
  }

  /** Returns the number of lines about strangers that were only counted. */
  public synchronized long omittedLines() {
    return omitted;
  }

  /** Returns one line about lines that are lost or cannot be written; empty if there are none. */
  public String trouble() {
    long gone = lostLines();
    String failing = thread.trouble();
    String losses = gone == 0 ? "" : "the audit has lost " + gone + " lines since the start";
    return failing.isEmpty() || losses.isEmpty() ? failing + losses : failing + "; " + losses;
  }

  /** Writes all lines and stops. */
  @Override
  public void close() {
    if (file == null) {
      return;
    }
    if (!thread.close(CLOSE_TIME_MAX)) {
      LOG.error("the audit did not end in time; its last lines may be missing");
      return;
    }
    try {
      write();
      file.sync();
      file.close();
    } catch (IOException e) {
      LOG.error("the last lines of the audit could not be written", e);
    }
  }
}
