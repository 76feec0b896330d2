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
 * One body on its way to a sink. Used only on its event loop, except that the sink runs on workers.
 *
 * <h2>Two windows</h2>
 *
 * Arriving bytes fill one window while the sink takes the other. When both are full, the connection
 * is not read until the sink is done. A body of any length therefore holds two windows of {@value
 * #WINDOW_BYTES} bytes plus one more piece each. In addition, Vert.x holds the bytes that it read
 * before it noticed the pause, at most 16 pieces and one read of the socket: 192 KiB. Both windows
 * are reserved in the budget before the client is asked for the body. A body that fits in one
 * window gets a single window of its own length.
 *
 * <h2>Ends</h2>
 *
 * The first of these events decides: the last byte arrived and the sink ended; the sink threw; the
 * client disconnected or was too slow; no worker was free. The sink is called for the last time, on
 * a worker and after its previous call has returned, before the result is completed.
 */
final class IncomingBody<T> {
  /** The bytes that the sink gets at a time, unless fewer are left. */
  static final int WINDOW_BYTES = 128 << 10;

  private final Vertx vertx;
  private final Context context;
  private final HttpServerRequest request;
  private final ByteBudget budget;
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
      ByteBudget budget,
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

  /** Returns the result. It completes on the event loop. */
  CompletableFuture<T> result() {
    return result;
  }

  /**
   * Returns whether the client must be asked for the body. If not, the body is already over, and
   * the sink gets its last call.
   */
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
      endBody();
      return false;
    }
    return true;
  }

  /**
   * Starts to receive the body.
   *
   * @param unwanted receives the bytes that arrive after the body has failed
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
    // A window is passed on before the next piece could overflow it.
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

  /** Passes the full window to the sink, or waits until the sink has emptied the other one. */
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
      endBody();
    }
  }

  /**
   * Runs the sink. This is the root of a thread: the exception of the sink becomes the failure of
   * the request.
   */
  private void runSink(ByteBuffer window) {
    try {
      sink.take(window)
          .whenComplete((taken, problem) -> context.runOnContext(back -> sinkDone(problem)));
    } catch (Throwable thrown) {
      context.runOnContext(back -> sinkDone(thrown));
    }
  }

  private void sinkDone(@Nullable Throwable problem) {
    sinkBusy = false;
    if (problem != null && failure == null) {
      failure = problem;
    }
    if (failure != null) {
      endBody();
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

  /**
   * Passes on the remaining bytes, or ends the body. Called when all bytes have arrived and the
   * sink is idle.
   */
  private void finish() {
    if (filling.position() > 0) {
      handOver();
    } else {
      endBody();
    }
  }

  private void fail(ServiceError problem) {
    if (failure == null && !isEnding()) {
      failure = problem.exception();
      if (!sinkBusy) {
        endBody();
      }
    }
  }

  /**
   * Returns whether the body is complete. From then on, nothing that the client does changes the
   * result.
   */
  private boolean isEnding() {
    return ended && filling.position() == 0;
  }

  private void checkPace() {
    if (missing > 0 && missingAtPace - missing < limits.paceBytes()) {
      fail(CommonErrors.OPERATION_TIMED_OUT);
    }
    missingAtPace = missing;
  }

  /** Calls the sink for the last time, and then completes the result. */
  private void endBody() {
    vertx.cancelTimer(paceTimer);
    if (!workers.tryExecute(this::endSink)) {
      // This happens rarely, and at most once for each body.
      vertx.executeBlocking(
          () -> {
            endSink();
            return true;
          });
    }
  }

  /** Ends or aborts the sink. Like {@link #runSink}, this is the root of a thread. */
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
