package io.lazuli.server.http;

import io.lazuli.server.error.Futures;
import io.lazuli.server.error.ServiceException;
import io.lazuli.storage.thread.OutOfMemory;
import io.netty.buffer.Unpooled;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pulled body on its way to the client. Used only on the event loop of the request, except that
 * the source runs on workers.
 *
 * <p>The body has memory for one piece, which was taken from the budget before the answer began,
 * and gets memory for two more while the budget has plenty. A piece occupies it from before it is
 * read until the socket has taken it. So a slow client holds one to three pieces of {@value
 * #PIECE_BYTES} bytes.
 */
final class OutgoingBody {
  static final int PIECE_BYTES = 64 << 10;

  /** The maximum number of pieces in memory. */
  private static final int PIECES_MAX = 3;

  private static final Logger LOG = LoggerFactory.getLogger(OutgoingBody.class);

  private final Context context;
  private final HttpServerRequest request;
  private final HttpServerResponse out;
  private final StreamedBody.Pulled body;
  private final AnswerBudget budget;
  private final AnswerBudget.Watch watch;
  private final Promise<Void> sent = Promise.promise();
  private long missing;
  private int memory = 1;
  private int occupied;
  private boolean reading;
  private boolean over;

  /** Takes over the memory for one piece, which the caller has taken from the budget. */
  OutgoingBody(
      Vertx vertx, HttpServerRequest request, StreamedBody.Pulled body, AnswerBudget budget) {
    this.context = vertx.getOrCreateContext();
    this.request = request;
    this.out = request.response();
    this.body = body;
    this.budget = budget;
    this.watch = new AnswerBudget.Watch(vertx, request.connection(), budget);
    this.missing = body.length();
  }

  /** Returns the memory that one piece of a body needs. */
  static int pieceBytes(StreamedBody.Pulled body) {
    return (int) Math.min(PIECE_BYTES, body.length());
  }

  /**
   * Starts sending. Status and headers are already set.
   *
   * @return a future that fails if the body was cut off
   */
  Future<Void> begin() {
    out.setWriteQueueMaxSize(PIECE_BYTES);
    out.exceptionHandler(gone -> stop());
    out.closeHandler(gone -> stop());
    pull();
    return sent.future();
  }

  private void pull() {
    if (over || reading || !hasMemory()) {
      return;
    }
    occupied++;
    reading = true;
    if (!body.workers().tryExecute(this::read)) {
      reading = false;
      occupied--;
      cutOff();
    }
  }

  /** Returns whether there is memory for another piece. If not, the next taken piece frees some. */
  private boolean hasMemory() {
    if (occupied == memory && memory < PIECES_MAX && budget.tryTakeSpare(pieceBytes(body))) {
      memory++;
    }
    return occupied < memory;
  }

  /**
   * Reads the next piece. Runs as a task of a worker, where no caller could handle an exception:
   * any failure of the source closes the connection.
   */
  private void read() {
    ByteBuffer target = ByteBuffer.allocate((int) Math.min(PIECE_BYTES, missing));
    try {
      body.source()
          .read(target)
          .whenComplete(
              (read, failure) -> context.runOnContext(back -> send(target.flip(), failure)));
    } catch (Throwable failure) {
      context.runOnContext(back -> send(target.flip(), failure));
    }
  }

  private void send(ByteBuffer read, @Nullable Throwable failure) {
    reading = false;
    boolean broken = failure != null || !read.hasRemaining();
    if (broken) {
      report(failure);
    }
    if (over || broken) {
      occupied--;
      if (over) {
        body.close();
        settle();
      } else {
        cutOff();
      }
      return;
    }
    // A buffer around the array; the other ways to make one copy the bytes.
    Buffer piece = BufferInternal.buffer(Unpooled.wrappedBuffer(read));
    missing -= piece.length();
    if (missing == 0) {
      over = true;
      body.close();
      out.end(piece).onComplete(end -> taken()).onComplete(sent);
    } else {
      out.write(piece).onComplete(end -> taken());
      pull();
    }
  }

  private static void report(@Nullable Throwable failure) {
    OutOfMemory.check(failure);
    // A source that fails with a ServiceException has logged what an operator should know.
    if (failure == null || !(Futures.cause(failure) instanceof ServiceException)) {
      LOG.error("an answer was cut off", failure);
    }
  }

  /** Called when the socket has taken a piece, and for each written piece when it is closed. */
  private void taken() {
    occupied--;
    watch.tookAll();
    settle();
    pull();
  }

  /** Closes the connection, so that no client mistakes a part of the body for the whole. */
  private void cutOff() {
    stop();
    request.connection().close();
  }

  private void stop() {
    if (!over) {
      over = true;
      if (!reading) {
        body.close();
      }
      sent.fail("cut off");
    }
    settle();
  }

  /** Once the body is over, gives back the memory that no piece occupies. */
  private void settle() {
    if (over) {
      budget.giveBack((long) pieceBytes(body) * (memory - occupied));
      memory = occupied;
      if (memory == 0) {
        watch.end();
      }
    }
  }
}
