package io.lazuli.server.http;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pulled body on its way to the client. Used only on the event loop of the request, except that
 * the source runs on workers. The next piece is read when the client has taken enough of the
 * previous ones: one piece is being read, and at most two wait to be sent, {@value #PIECE_BYTES}
 * bytes each.
 */
final class OutgoingBody {
  static final int PIECE_BYTES = 64 << 10;

  private static final Logger LOG = LoggerFactory.getLogger(OutgoingBody.class);

  private final Context context;
  private final HttpServerRequest request;
  private final HttpServerResponse out;
  private final StreamedBody.Pulled body;
  private final Promise<Void> sent = Promise.promise();
  private long missing;
  private boolean reading;
  private boolean over;

  OutgoingBody(Vertx vertx, HttpServerRequest request, StreamedBody.Pulled body) {
    this.context = vertx.getOrCreateContext();
    this.request = request;
    this.out = request.response();
    this.body = body;
    this.missing = body.length();
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
    if (over || reading) {
      return;
    }
    reading = true;
    if (!body.workers().tryExecute(this::read)) {
      reading = false;
      cutOff();
    }
  }

  /**
   * Reads the next piece. Runs as a task of a worker, where no caller could handle an exception:
   * any failure of the source closes the connection.
   */
  private void read() {
    byte[] array = new byte[(int) Math.min(PIECE_BYTES, missing)];
    ByteBuffer target = ByteBuffer.wrap(array);
    try {
      body.source().read(target);
      if (target.position() == 0) {
        throw new IllegalStateException("the body ends before its length");
      }
      Buffer piece = Buffer.buffer(array.length).appendBytes(array, 0, target.position());
      context.runOnContext(back -> send(piece));
    } catch (Throwable failure) {
      LOG.error("an answer was cut off", failure);
      context.runOnContext(back -> send(null));
    }
  }

  private void send(@Nullable Buffer piece) {
    reading = false;
    if (over) {
      body.close();
    } else if (piece == null) {
      cutOff();
    } else {
      missing -= piece.length();
      if (missing == 0) {
        over = true;
        body.close();
        out.end(piece).onComplete(sent);
      } else {
        write(piece);
      }
    }
  }

  private void write(Buffer bytes) {
    out.write(bytes);
    if (out.writeQueueFull()) {
      out.drainHandler(drained -> pull());
    } else {
      pull();
    }
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
  }
}
