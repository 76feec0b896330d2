package io.lazuli.server.requestlog;

import io.lazuli.server.blob.service.BlobService;
import io.lazuli.server.event.LogSelection;
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
 * The request log: one line for each request of the services whose owners want that, in append
 * blobs of the account. A request never waits until its line is stored: an event loop writes the
 * lines of its requests, some at a time, which costs less than to hand over what they are made of,
 * into a bounded queue; a thread of its own stores what is there every flush period, or sooner if
 * it is a whole block. A crash loses what was not stored yet.
 *
 * <p>Lines are stored through the blob service in process, which is no request and therefore not
 * logged.
 */
public final class RequestLog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RequestLog.class);

  private final LogQueue queue;

  /** One for each event loop. */
  private final ThreadLocal<LineBatch> batch;

  private final LogBlobs blobs;
  private final LogWriter writer;
  private final Clock clock;
  private final Duration flushPeriod;
  private final Thread thread = new Thread(this::run, "request-log");
  private volatile boolean closed;

  /**
   * @param flushPeriod how long a line waits at most
   * @param queueBytesMax the memory of all lines that wait to be stored
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

  /** From now on lines are stored. */
  public void start() {
    thread.start();
  }

  /** Makes the container for an account's logs, before the first line is; false if it was there. */
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
      String operation = event.operation().isEmpty() ? source.operationByLine() : event.operation();
      OperationKind kind = OperationKind.of(operation, source.method(), event.entitiesReturned());
      if (kind.isIn(selection) && StatusName.isLogged(event)) {
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

  /** A thread root: whatever fails, the log goes on. */
  private static void step(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      LOG.error("request logs were not written", e);
    }
  }

  /** Stores all that waits now. */
  void flush() {
    writer.writeAll();
  }

  /** Lines that were stored since the start. */
  public long writtenLines() {
    return writer.written();
  }

  /** Lines that were lost since the start, because the queue was full or the store refused. */
  public long droppedLines() {
    return queue.dropped();
  }

  /** Stores what waits and ends; nothing may be logged any more. */
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
