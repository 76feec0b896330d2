package io.lazuli.server.archive;

import io.lazuli.server.backup.ArchiveAppender;
import io.lazuli.server.backup.BackupException;
import io.lazuli.server.backup.BackupTarget;
import io.lazuli.server.backup.Meter;
import io.lazuli.server.backup.SegmentWriter;
import io.lazuli.server.backup.Targets;
import io.lazuli.storage.ChangeLog;
import io.lazuli.storage.StoreCut;
import io.lazuli.storage.metrics.MetricVisitor;
import io.lazuli.storage.thread.BackgroundThread;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies the changes of the store into the archive of a target, every few seconds, on a thread of
 * its own. Requests take no part. Thread-safe.
 *
 * <p>A round takes the changes that are durable at its beginning. Their chunks are copied first,
 * then the segment that names them is stored, then the store may free what it kept for them. So a
 * kill between any two steps repeats work and loses nothing. If the store has given changes up, the
 * archive begins a new chain, and asks for a backup, because a chain is of no use without one.
 */
public final class Archiver implements AutoCloseable {
  /** The archive may be this far behind before that counts as trouble. */
  public static final Duration LAG_MAX = Duration.ofSeconds(10);

  /** The changes of one segment take this many bytes, or one change more. */
  static final int SEGMENT_BYTES_MAX = 8 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(Archiver.class);
  private static final Duration PERIOD = Duration.ofSeconds(3);
  private static final Duration RETRY_PERIOD = Duration.ofSeconds(5);
  private static final Duration LAST_ROUND_TIME_MAX = Duration.ofSeconds(3);

  /** The time between two requests for the same backup: it may take long, or fail. */
  private static final long ASK_PERIOD_NANOS = TimeUnit.MINUTES.toNanos(10);

  /** The time between two looks for that backup: short at first, then longer and longer. */
  private static final Duration CHECK_PERIOD_MIN = Duration.ofMillis(250);

  private static final Duration CHECK_PERIOD_MAX = Duration.ofSeconds(30);

  private final ChangeLog log;
  private final String place;
  private final Runnable wantsBackup;
  private final Duration period;
  private final BackgroundThread thread = new BackgroundThread("archive", LOG::warn);
  private final BackgroundThread.Job work;
  private final CountDownLatch lastRound = new CountDownLatch(1);
  private final Meter meter = new Meter(0);
  private final AtomicLong segments = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong gaps = new AtomicLong();
  private volatile boolean closing;

  /** The moment of which everything was archived. */
  private volatile long archivedNanos = System.nanoTime();

  private volatile boolean hasBackup = true;
  private volatile String gap = "";

  /** These belong to the thread. */
  private @Nullable BackupTarget target;

  private @Nullable ArchiveAppender appender;

  /** True from a loss of changes until a chain has begun after it. */
  private boolean inGap;

  private long checkedNanos;
  private Duration checkPeriod = Duration.ZERO;
  private long askedNanos = System.nanoTime() - ASK_PERIOD_NANOS;

  /**
   * @param place as in {@link Targets#of}; may contain a secret
   * @param wantsBackup called when the archive needs a backup
   */
  public Archiver(ChangeLog log, String place, Runnable wantsBackup) {
    this(log, place, wantsBackup, PERIOD);
  }

  /** Makes an archiver with a period of a test. */
  Archiver(ChangeLog log, String place, Runnable wantsBackup, Duration period) {
    this.log = log;
    this.place = place;
    this.wantsBackup = wantsBackup;
    this.period = period;
    this.work = thread.repeat(Duration.ZERO, RETRY_PERIOD, this::step);
  }

  public void start() {
    thread.start();
  }

  /** Returns one line if the archive is behind, fails, or has a gap; empty otherwise. */
  public String trouble() {
    String failure = thread.trouble();
    if (!failure.isEmpty()) {
      return "the archive is %d s behind: %s".formatted(lag().toSeconds(), failure);
    }
    if (lag().compareTo(LAG_MAX) > 0) {
      return "the archive is " + lag().toSeconds() + " s behind";
    }
    return hasBackup ? "" : "no point in time can be restored before the next backup" + gap;
  }

  private Duration lag() {
    return Duration.ofNanos(System.nanoTime() - archivedNanos);
  }

  /** Shows the state of the archive. */
  public void metrics(MetricVisitor visitor) {
    visitor.gauge(
        "lazuli_archive_lag_seconds",
        "Age of the newest moment that the archive has.",
        lag().toMillis() / 1000.0);
    visitor.gauge(
        "lazuli_archive_waiting_bytes",
        "Disk space that is used only because changes wait for the archive.",
        log.keptBytes());
    visitor.counter(
        "lazuli_archive_segments", "Segments that were added to the archive.", segments.get());
    visitor.counter(
        "lazuli_archive_bytes", "Bytes of these segments, without chunks.", bytes.get());
    visitor.counter("lazuli_archive_gaps", "Times that the archive has lost changes.", gaps.get());
  }

  private Duration step() throws IOException {
    boolean last = closing;
    boolean done = false;
    try {
      round(opened());
      checkBackup(opened());
      done = true;
      return hasBackup || checkPeriod.compareTo(period) > 0 ? period : checkPeriod;
    } catch (ChangeLog.LostException e) {
      String reason = String.valueOf(e.getMessage());
      countGap(": the archive has a gap, because " + reason, reason);
      begin(opened());
      done = true;
      return Duration.ZERO;
    } finally {
      if (!done) {
        closeTarget();
      }
      if (last) {
        lastRound.countDown();
      }
    }
  }

  private ArchiveAppender opened() throws IOException {
    ArchiveAppender current = appender;
    if (current != null) {
      return current;
    }
    BackupTarget opened = Targets.of(place);
    target = opened;
    opened.create();
    current = ArchiveAppender.open(opened, log);
    if (!current.hasChain()) {
      if (current.endTicks() > 0) {
        countGap(
            ": the archive has a gap since the last run",
            "the store has not kept all changes since the last run");
      }
      begin(current);
    } else {
      hasBackup = current.hasBackup();
    }
    appender = current;
    return current;
  }

  /** Counts a gap once, however often the archive fails to begin again after it. */
  private void countGap(String shown, String reason) {
    if (!inGap) {
      inGap = true;
      gaps.incrementAndGet();
      gap = shown;
      LOG.warn("the archive has a gap: {}", reason);
    }
  }

  private void begin(ArchiveAppender current) throws IOException {
    current.beginChain();
    inGap = false;
    if (hasBackup) {
      // The last request was fulfilled, so this one need not wait.
      askedNanos = System.nanoTime() - ASK_PERIOD_NANOS;
    }
    hasBackup = false;
    checkPeriod = Duration.ZERO;
  }

  private void round(ArchiveAppender current) throws IOException {
    long begun = System.nanoTime();
    ChangeLog.Round round = log.begin();
    SegmentWriter segment = current.segment();
    boolean changed = false;
    for (ChangeLog.Change change = log.next(); change != null; change = log.next()) {
      changed = true;
      segment.add(change);
      for (StoreCut.File chunk : change.chunks()) {
        copy(current, chunk, segment);
      }
      if (segment.bytes() >= SEGMENT_BYTES_MAX) {
        // Later changes may have the time of the last one.
        put(current, segment, Math.max(current.endTicks(), segment.lastTicks() - 1));
        log.release();
        segment = current.segment();
      }
    }
    long end = Math.max(round.ticks(), segment.lastTicks());
    if (!segment.isEmpty()) {
      put(current, segment, end);
    } else if (end > current.endTicks()) {
      current.putNothing(end);
    }
    archivedNanos = begun;
    if (changed) {
      log.release();
    }
  }

  private void copy(ArchiveAppender current, StoreCut.File chunk, SegmentWriter segment)
      throws IOException {
    try {
      current.copy(chunk, segment, meter);
    } catch (NoSuchFileException e) {
      gaps.incrementAndGet();
      LOG.warn("{} is missing in the store and in the archive", chunk.name());
    }
  }

  private void put(ArchiveAppender current, SegmentWriter segment, long endTicks)
      throws IOException {
    bytes.addAndGet(current.put(segment, endTicks));
    segments.incrementAndGet();
  }

  /** Asks for a backup if the chain has none. */
  private void checkBackup(ArchiveAppender current) throws IOException {
    long now = System.nanoTime();
    if (hasBackup || now - checkedNanos < checkPeriod.toNanos()) {
      return;
    }
    checkedNanos = now;
    Duration next = checkPeriod.isZero() ? CHECK_PERIOD_MIN : checkPeriod.multipliedBy(2);
    checkPeriod = next.compareTo(CHECK_PERIOD_MAX) > 0 ? CHECK_PERIOD_MAX : next;
    hasBackup = current.hasBackup();
    if (!hasBackup && now - askedNanos >= ASK_PERIOD_NANOS) {
      try {
        wantsBackup.run();
        askedNanos = now;
      } catch (BackupException e) {
        LOG.info("the archive waits for a backup: {}", e.getMessage());
      }
    }
  }

  private void closeTarget() {
    BackupTarget opened = target;
    target = null;
    appender = null;
    if (opened != null) {
      try {
        opened.close();
      } catch (IOException e) {
        LOG.debug("the target of the archive was not closed", e);
      }
    }
  }

  /** Archives what is left, in a bounded time, and ends the thread. */
  @Override
  public void close() {
    closing = true;
    if (thread.trouble().isEmpty()) {
      work.wake();
      try {
        boolean unused = lastRound.await(LAST_ROUND_TIME_MAX.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    meter.cancel();
    thread.close();
  }
}
