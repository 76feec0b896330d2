package io.lazuli.server.requestlog;

import io.lazuli.server.blob.service.BlobService;
import io.lazuli.server.event.LogSelection;
import io.lazuli.server.event.OperationKind;
import io.lazuli.server.event.OperationType;
import io.lazuli.server.event.RequestEvent;
import io.lazuli.server.event.RequestListener;
import io.lazuli.server.event.RequestSource;
import io.lazuli.storage.thread.BackgroundThread;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The request log: one line for each request of the services for which the owner has turned logging
 * on, in append blobs of the account. No request waits for its line to be stored. The event loop of
 * a request formats its line and puts it into a bounded queue, several lines at a time. This costs
 * less than handing the data to another thread. One thread stores the queued lines in every flush
 * period, or sooner if they fill a block. A crash loses the lines that were not stored yet.
 *
 * <p>Lines are stored by calls of the blob service in the same process. These calls are not
 * requests, so they are not logged.
 */
public final class RequestLog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RequestLog.class);

  private static final Duration CLOSE_TIME_MAX = Duration.ofSeconds(5);

  private final LogQueue queue;

  /** One batch for each event loop. */
  private final ThreadLocal<LineBatch> batch;

  private final LogBlobs blobs;
  private final LogWriter writer;
  private final Clock clock;
  private final Duration flushPeriod;
  private final BackgroundThread thread = new BackgroundThread("request-log", LOG::error);
  private final BackgroundThread.Job storing;

  /** Used by the thread only. */
  private long flushAtNanos;

  /**
   * @param writes receives the writes of the log
   * @param flushPeriod the longest time until a line is stored
   * @param queueBytesMax the bound on the memory of all lines that are not stored yet
   */
  public RequestLog(
      BlobService blobs, LogWrites writes, Clock clock, Duration flushPeriod, long queueBytesMax) {
    this.queue = new LogQueue(queueBytesMax);
    this.batch = ThreadLocal.withInitial(queue::newBatch);
    this.blobs = new LogBlobs(blobs, writes);
    this.writer = new LogWriter(queue, this.blobs, clock);
    this.clock = clock;
    this.flushPeriod = flushPeriod;
    this.flushAtNanos = System.nanoTime() + flushPeriod.toNanos();
    this.storing = thread.repeat(flushPeriod, flushPeriod, this::step);
  }

  /** Starts the thread that stores lines. */
  public void start() {
    thread.start();
  }

  /** Creates the container for an account's logs before the first line; false if it exists. */
  public CompletionStage<Boolean> prepare(String account) {
    return blobs.createContainer(account);
  }

  /**
   * Logs the requests to a service.
   *
   * @param service {@code blob}, {@code queue} or {@code table}
   */
  public RequestListener of(String service) {
    return new ServiceListener(service);
  }

  private final class ServiceListener implements RequestListener {
    private final String service;

    ServiceListener(String service) {
      this.service = service;
    }

    @Override
    public void requestEnded(RequestEvent event, RequestSource source) {
      LogSelection selection = event.logging();
      if (selection != null) {
        take(event, selection, source);
      }
    }

    private void take(RequestEvent event, LogSelection selection, RequestSource source) {
      OperationType known = event.operation();
      OperationType operation = known == null ? source.operationByLine() : known;
      OperationKind kind = operation.kind(event.entitiesReturned());
      if (selection.includes(kind) && StatusName.isLogged(event)) {
        LoggedRequest request =
            LoggedRequest.of(service, event, selection, now(), operation, kind, source);
        if (batch.get().add(request)) {
          storing.wake();
        }
      }
    }
  }

  private long now() {
    Instant now = clock.instant();
    return now.getEpochSecond() * 10_000_000 + now.getNano() / 100;
  }

  /** Stores all lines once in every period, and full blocks whenever the thread is woken. */
  private Duration step() {
    if (System.nanoTime() - flushAtNanos >= 0) {
      writer.writeAll();
      flushAtNanos = System.nanoTime() + flushPeriod.toNanos();
    } else {
      writer.writeBlocks();
    }
    return Duration.ofNanos(Math.max(0, flushAtNanos - System.nanoTime()));
  }

  /** Stores all lines now. */
  void flush() {
    writer.writeAll();
  }

  /** Returns the number of lines that were stored since the start. */
  public long writtenLines() {
    return writer.written();
  }

  /**
   * Returns the number of lines that were lost since the start, because the queue was full or the
   * store refused them.
   */
  public long droppedLines() {
    return queue.dropped();
  }

  /** Returns one line about lines that cannot be stored; empty if there is no such trouble. */
  public String trouble() {
    return thread.trouble();
  }

  /**
   * Stores all lines and stops. Nothing may be logged after this. If the thread hangs, the lines
   * that are left are lost.
   */
  @Override
  public void close() {
    if (thread.close(CLOSE_TIME_MAX)) {
      writer.finish();
    }
  }
}
