package io.lazuli.server.requestlog;

import io.lazuli.server.blob.service.BlobService;
import io.lazuli.server.event.LogSelection;
import io.lazuli.server.event.OperationKind;
import io.lazuli.server.event.OperationType;
import io.lazuli.server.event.RequestEvent;
import io.lazuli.server.event.RequestListener;
import io.lazuli.server.event.RequestSource;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
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

  private final LogQueue queue;

  /** One batch for each event loop. */
  private final ThreadLocal<LineBatch> batch;

  private final LogBlobs blobs;
  private final LogWriter writer;
  private final Clock clock;
  private final Duration flushPeriod;
  private final Thread thread = new Thread(this::run, "request-log");
  private volatile boolean closed;

  /**
   * @param flushPeriod the longest time until a line is stored
   * @param queueBytesMax the bound on the memory of all lines that are not stored yet
   */
  public RequestLog(BlobService blobs, Clock clock, Duration flushPeriod, long queueBytesMax) {
    this.queue = new LogQueue(queueBytesMax);
    this.batch = ThreadLocal.withInitial(queue::newBatch);
    this.blobs = new LogBlobs(blobs);
    this.writer = new LogWriter(queue, this.blobs, clock);
    this.clock = clock;
    this.flushPeriod = flushPeriod;
    thread.setDaemon(true);
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
          LockSupport.unpark(thread);
        }
      }
    }
  }

  private long now() {
    Instant now = clock.instant();
    return now.getEpochSecond() * 10_000_000 + now.getNano() / 100;
  }

  private void run() {
    long flushAt = System.nanoTime() + flushPeriod.toNanos();
    while (!closed) {
      long left = flushAt - System.nanoTime();
      if (left > 0) {
        LockSupport.parkNanos(this, left);
        step(writer::writeBlocks);
      } else {
        step(writer::writeAll);
        flushAt = System.nanoTime() + flushPeriod.toNanos();
      }
    }
  }

  /** Runs one step of the thread and logs its failure, so that the thread continues. */
  private static void step(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      LOG.error("request logs could not be stored", e);
    }
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

  /** Stores all lines and stops. Nothing may be logged after this. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    writer.finish();
  }
}
