package io.lazuli.server.http;

import io.lazuli.server.error.CommonErrors;
import io.netty.buffer.Unpooled;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * The encoded bytes of an answer, in pieces. They are charged to the budget while they are added,
 * unless the answer stays small. First one thread adds pieces, then the event loop sends them.
 */
public final class AnswerBuffer implements StreamedBody {
  /** The approximate length of a piece. An encoder adds a piece whenever it has so many bytes. */
  public static final int PIECE_BYTES = 64 << 10;

  private final AnswerBudget budget;
  private final Deque<byte[]> pieces = new ArrayDeque<>();
  private long length;
  private long charged;
  private int sentOfFirst;

  /** The length of the piece that the last call of {@link #next} ended; 0 if it ended none. */
  private int endedBytes;

  private AnswerBuffer(AnswerBudget budget) {
    this.budget = budget;
  }

  /**
   * Encodes an answer.
   *
   * @param encoder adds the pieces; if it throws, the budget gets its bytes back
   */
  public static AnswerBuffer encode(AnswerBudget budget, Consumer<AnswerBuffer> encoder) {
    AnswerBuffer buffer = new AnswerBuffer(budget);
    try {
      encoder.accept(buffer);
      return buffer;
    } catch (RuntimeException | Error e) {
      buffer.close();
      throw e;
    }
  }

  /** Returns a buffer with bytes that were charged already. */
  static AnswerBuffer charged(AnswerBudget budget, byte[] bytes) {
    AnswerBuffer buffer = new AnswerBuffer(budget);
    buffer.pieces.add(bytes);
    buffer.length = bytes.length;
    buffer.charged = bytes.length;
    return buffer;
  }

  /** Adds a piece, which then belongs to the buffer. Throws 503 if the budget has no bytes left. */
  public void add(byte[] piece) {
    if (piece.length == 0) {
      return;
    }
    long total = length + piece.length;
    if (total > AnswerBudget.SMALL_BYTES_MAX) {
      if (!budget.tryTakeLarge(total - charged)) {
        throw CommonErrors.SERVER_BUSY.exception();
      }
      charged = total;
    }
    pieces.add(piece);
    length = total;
  }

  /**
   * Encodes the items of a page one after the other: all of them, or those before the page is too
   * long.
   *
   * @param encoder encodes one item
   * @param written returns the approximate length of the text that the encoder holds
   * @param text removes that text from the encoder and returns it
   * @return the number of items on the page, at least one if there are any
   */
  public <T> int addPage(
      List<T> items, Consumer<T> encoder, IntSupplier written, Supplier<byte[]> text) {
    int shown = 0;
    while (shown < items.size() && (shown == 0 || !isPageFull(written.getAsInt()))) {
      encoder.accept(items.get(shown));
      addIfLong(written, text);
      shown++;
    }
    return shown;
  }

  /** Adds the text that an encoder holds if it is long enough for a piece. */
  public void addIfLong(IntSupplier written, Supplier<byte[]> text) {
    if (written.getAsInt() >= PIECE_BYTES) {
      add(text.get());
    }
  }

  /** Returns whether a page with so many more bytes is too long. */
  public boolean isPageFull(long more) {
    return length + more > budget.pageBytesMax();
  }

  @Override
  public long length() {
    return length;
  }

  /** Returns whether the answer is small. Nothing was charged for it then. */
  boolean isSmall() {
    return charged == 0;
  }

  /** Returns the bytes of a small answer. */
  byte[] toByteArray() {
    if (pieces.size() == 1) {
      return pieces.element();
    }
    byte[] all = new byte[(int) length];
    int at = 0;
    for (byte[] piece : pieces) {
      System.arraycopy(piece, 0, all, at, piece.length);
      at += piece.length;
    }
    return all;
  }

  /** Returns whether {@link #next} has more bytes. */
  private boolean hasNext() {
    return !pieces.isEmpty();
  }

  /**
   * Returns the next bytes, at most {@value #PIECE_BYTES} of them. A longer piece stays in memory
   * until its last bytes are sent. The caller then gives {@link #endedBytes} back to the budget.
   */
  private Buffer next() {
    byte[] piece = pieces.element();
    int from = sentOfFirst;
    int count = Math.min(PIECE_BYTES, piece.length - from);
    sentOfFirst += count;
    endedBytes = 0;
    if (sentOfFirst == piece.length) {
      pieces.remove();
      sentOfFirst = 0;
      endedBytes = piece.length;
      charged -= endedBytes;
    }
    return BufferInternal.buffer(Unpooled.wrappedBuffer(piece, from, count));
  }

  /**
   * Sends the bytes as the body of an answer. Status and headers are already set. Called on the
   * event loop of the request.
   *
   * @return a future that fails if the body was cut off
   */
  Future<Void> send(Vertx vertx, HttpServerRequest request) {
    return new Sending(vertx, request, this).begin();
  }

  /** Gives back the pieces that {@link #next} has not ended. */
  @Override
  public void close() {
    pieces.clear();
    budget.giveBack(charged);
    charged = 0;
  }

  /**
   * An encoded body on its way to the client. Hands the socket at most two pieces at a time, and
   * gives each back to the budget when the socket has taken it. Used only on the event loop of the
   * request.
   */
  private static final class Sending {
    private final HttpServerResponse out;
    private final AnswerBuffer body;
    private final AnswerBudget.Watch watch;
    private final Promise<Void> sent = Promise.promise();
    private boolean over;

    Sending(Vertx vertx, HttpServerRequest request, AnswerBuffer body) {
      this.out = request.response();
      this.body = body;
      this.watch = new AnswerBudget.Watch(vertx, request.connection(), body.budget);
    }

    Future<Void> begin() {
      out.setWriteQueueMaxSize(PIECE_BYTES);
      out.exceptionHandler(gone -> stop());
      out.closeHandler(gone -> stop());
      send();
      return sent.future();
    }

    private void send() {
      while (!over) {
        Buffer piece = body.next();
        long bytes = body.endedBytes;
        if (!body.hasNext()) {
          over = true;
          out.end(piece).onComplete(end -> taken(bytes)).onComplete(sent);
          sent.future().onComplete(end -> watch.end());
          return;
        }
        out.write(piece).onComplete(end -> taken(bytes));
        if (out.writeQueueFull()) {
          out.drainHandler(drained -> send());
          return;
        }
      }
    }

    /** Called when the socket has taken a piece, and for each written piece when it is closed. */
    private void taken(long bytes) {
      body.budget.giveBack(bytes);
      watch.took();
    }

    private void stop() {
      if (!over) {
        over = true;
        watch.end();
        body.close();
        sent.fail("cut off");
      }
    }
  }
}
