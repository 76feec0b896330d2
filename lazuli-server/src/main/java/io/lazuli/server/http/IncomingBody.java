package io.lazuli.server.http;

import io.lazuli.server.error.CommonErrors;
import io.lazuli.server.error.ServiceError;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One body on its way to a sink. Used on its event loop only, except that the sink runs on workers.
 *
 * <h2>Two windows</h2>
 *
 * What comes fills one window while the sink takes the other; when both are full the connection is
 * not read any more until the sink is done. So a body of any length holds two windows of {@value
 * #WINDOW_BYTES} bytes and one more piece each. Beside them Vert.x holds what it read before it
 * noticed, at most 16 pieces and one read of the socket: 192 KiB. Both windows are taken from the
 * budget before the body is asked for. A body that fits in one window has one, of its own length.
 *
 * <h2>Ends</h2>
 *
 * The first of these decides: the last byte came and the sink ended; the sink threw; the client is
 * gone, too slow, or no worker was free. The sink is told, on a worker and after its last call has
 * returned, before the result is completed.
 */
final class IncomingBody<T> {
  /** The sink gets so much at a time, or the body's rest. */
  static final int WINDOW_BYTES = 128 << 10;

  private final Vertx vertx;
  private final Context context;
  private final HttpServerRequest request;
  private final BodyBudget budget;
  private final BodyLimits limits;
  private final BodySink<T> sink;
  private final WorkerPool workers;
  private final CompletableFuture<T> result = new CompletableFuture<>();
  private final boolean whole;
  private ByteBuffer filling = ByteBuffer.allocate(0);
  private ByteBuffer taken = filling;
  private long heldBytes;
  private long missing;
  private long missingAtPace;
  private long paceTimer = -1;
  private boolean sinkBusy;
  private boolean paused;
  private boolean ended;
  private @Nullable Throwable failure;

  IncomingBody(
      Vertx vertx,
      HttpServerRequest request,
      long length,
      BodyBudget budget,
      BodyLimits limits,
      BodySink<T> sink,
      WorkerPool workers) {
    this.vertx = vertx;
    this.context = vertx.getOrCreateContext();
    this.request = request;
    this.budget = budget;
    this.limits = limits;
    this.sink = sink;
    this.workers = workers;
    this.missing = length;
    this.missingAtPace = length;
    this.whole = length <= WINDOW_BYTES;
  }

  /** What comes of it; completes on the event loop. */
  CompletableFuture<T> result() {
    return result;
  }

  /** True if the body is to be asked for; otherwise it is over, and the sink is told so. */
  boolean isWanted() {
    if (missing < 0) {
      failure = CommonErrors.MISSING_CONTENT_LENGTH_HEADER.exception();
    } else if (missing > limits.bytesMax()) {
      failure = Exchange.tooLarge(limits.bytesMax());
    } else if (missing > 0 && request.response().closed()) {
      failure = HttpErrors.CLIENT_GONE.exception();
    } else if (!takeWindows()) {
      failure = CommonErrors.SERVER_BUSY.exception();
    }
    if (failure != null || missing == 0) {
      tellEnd();
      return false;
    }
    return true;
  }

  /**
   * Lets the body come.
   *
   * @param unwanted gets what comes after it was decided what becomes of the body
   */
  void receive(Consumer<Buffer> unwanted) {
    paceTimer = vertx.setPeriodic(limits.paceTime().toMillis(), tick -> checkPace());
    request.exceptionHandler(problem -> fail(Exchange.problem(problem)));
    request.endHandler(end -> receivedAll());
    request.handler(
        chunk -> {
          if (failure == null) {
            receive(chunk);
          } else {
            unwanted.accept(chunk);
          }
        });
    request.resume();
  }

  private boolean takeWindows() {
    // A window is handed over before the next piece could overflow it.
    int bytes = whole ? (int) missing : WINDOW_BYTES + Exchange.CHUNK_BYTES_MAX;
    long both = whole ? bytes : 2L * bytes;
    if (!budget.tryTake(both)) {
      return false;
    }
    heldBytes = both;
    filling = ByteBuffer.allocate(bytes);
    taken = whole ? taken : ByteBuffer.allocate(bytes);
    return true;
  }

  private void receive(Buffer chunk) {
    missing -= chunk.length();
    chunk.getBytes(filling.array(), filling.position());
    filling.position(filling.position() + chunk.length());
    if (filling.position() >= WINDOW_BYTES) {
      handOver();
    }
  }

  private void receivedAll() {
    ended = true;
    if (!sinkBusy && failure == null) {
      finish();
    }
  }

  /** Gives the filled window to the sink, or waits until the sink has emptied the other. */
  private void handOver() {
    if (sinkBusy) {
      paused = true;
      request.pause();
      return;
    }
    ByteBuffer full = filling.flip();
    filling = taken.clear();
    taken = full;
    sinkBusy = true;
    if (!workers.tryExecute(() -> runSink(full))) {
      sinkBusy = false;
      failure = CommonErrors.SERVER_BUSY.exception();
      tellEnd();
    }
  }

  /** A thread root: what the sink throws is the request's failure. */
  private void runSink(ByteBuffer window) {
    Throwable problem = null;
    try {
      sink.take(window);
    } catch (Throwable thrown) {
      problem = thrown;
    }
    Throwable end = problem;
    context.runOnContext(back -> sinkDone(end));
  }

  private void sinkDone(@Nullable Throwable problem) {
    sinkBusy = false;
    if (problem != null && failure == null) {
      failure = problem;
    }
    if (failure != null) {
      tellEnd();
    } else if (ended) {
      finish();
    } else {
      if (filling.position() >= WINDOW_BYTES) {
        handOver();
      }
      if (paused && failure == null) {
        paused = false;
        request.resume();
      }
    }
  }

  /** All bytes are here; the sink is idle. */
  private void finish() {
    if (filling.position() > 0) {
      handOver();
    } else {
      tellEnd();
    }
  }

  private void fail(ServiceError problem) {
    if (failure == null && !isEnding()) {
      failure = problem.exception();
      if (!sinkBusy) {
        tellEnd();
      }
    }
  }

  /** Nothing the client does now changes what comes of a body that is all here. */
  private boolean isEnding() {
    return ended && filling.position() == 0;
  }

  private void checkPace() {
    if (missing > 0 && missingAtPace - missing < limits.paceBytes()) {
      fail(CommonErrors.OPERATION_TIMED_OUT);
    }
    missingAtPace = missing;
  }

  /** Tells the sink how it ended, and then everybody else. */
  private void tellEnd() {
    vertx.cancelTimer(paceTimer);
    if (!workers.tryExecute(this::endSink)) {
      // Only now and then, and only as many as there are bodies.
      vertx.executeBlocking(
          () -> {
            endSink();
            return true;
          });
    }
  }

  /** A thread root, like {@link #runSink}. */
  private void endSink() {
    Throwable problem = failure;
    if (problem == null) {
      try {
        T value = sink.end();
        complete(() -> result.complete(value));
        return;
      } catch (Throwable thrown) {
        problem = thrown;
      }
    }
    abortSink(problem);
  }

  private void abortSink(Throwable problem) {
    try {
      sink.abort();
    } catch (Throwable thrown) {
      problem.addSuppressed(thrown);
    }
    complete(() -> result.completeExceptionally(problem));
  }

  private void complete(Runnable outcome) {
    context.runOnContext(
        back -> {
          budget.giveBack(heldBytes);
          outcome.run();
        });
  }
}
