package io.lazuli.server.http;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.HttpServerConnection;
import java.time.Duration;

/**
 * Bounds the bytes of all answers in memory. A large answer is charged from the moment it is
 * encoded, a small one only if the socket does not take it immediately. The bytes are given back
 * when the socket has taken them, or when the connection is closed.
 *
 * <p>A quarter of the bytes is a reserve: only small answers may use it, and answers that can no
 * longer be refused because something was changed. Clients that do not read therefore cannot keep
 * others from getting small answers.
 */
public final class AnswerBudget {
  /** The maximum length of a small answer. */
  public static final int SMALL_BYTES_MAX = 64 << 10;

  /**
   * The length at which a page of a query or a listing ends. The page is longer only if its first
   * item is.
   */
  private static final long PAGE_BYTES_MAX = 8 << 20;

  /** The part of the budget that large answers may not use: one of so many. */
  private static final int RESERVE_PART = 4;

  private final long largeBytesMax;
  private final Duration stallTimeMax;
  private final Duration shortTimeMax;
  private final ByteBudget held;

  /**
   * @param stallTimeMax the time after which a client that takes nothing is disconnected
   * @param shortTimeMax the time in which a client must take all that is held for it, while more
   *     than half of the bytes for large answers are taken
   */
  public AnswerBudget(long bytesMax, Duration stallTimeMax, Duration shortTimeMax) {
    this.held = new ByteBudget(bytesMax);
    this.largeBytesMax = bytesMax - bytesMax / RESERVE_PART;
    this.stallTimeMax = stallTimeMax;
    this.shortTimeMax = shortTimeMax;
  }

  /** Returns a budget without a bound, for requests that have no connection. */
  public static AnswerBudget unbounded() {
    return new AnswerBudget(Long.MAX_VALUE, Duration.ofDays(1), Duration.ofDays(1));
  }

  /** Takes bytes of a large answer. Returns false, and takes nothing, if there are too few. */
  boolean tryTakeLarge(long bytes) {
    return held.tryTake(bytes, largeBytesMax);
  }

  /** Takes bytes that a large answer can do without, as long as more than half are left. */
  boolean tryTakeSpare(long bytes) {
    long max = largeBytesMax / 2;
    // Bytes that are not needed are not requested in vain, because a refusal is counted.
    return held.heldBytes() + bytes <= max && held.tryTake(bytes, max);
  }

  /** Takes bytes for an answer that may use the reserve. */
  boolean tryTake(long bytes) {
    return held.tryTake(bytes);
  }

  void giveBack(long bytes) {
    held.giveBack(bytes);
  }

  /** Returns whether more than half of the bytes for large answers are taken. */
  private boolean isShort() {
    return held.heldBytes() > largeBytesMax / 2;
  }

  /**
   * Returns whether a client must be disconnected.
   *
   * @param stalledNanos the time since the client took something
   * @param heldNanos the time since the bytes that are held for the client were taken
   */
  boolean isOverdue(long stalledNanos, long heldNanos) {
    return stalledNanos >= stallTimeMax.toNanos()
        || (heldNanos >= shortTimeMax.toNanos() && isShort());
  }

  /** Returns the time between two checks of {@link #isOverdue}. */
  long checkMillis() {
    return Math.max(1, Math.min(stallTimeMax.toMillis(), shortTimeMax.toMillis()) / 5);
  }

  /**
   * Returns the length at which a page of a query or a listing ends: {@link #PAGE_BYTES_MAX}, but
   * at most half of the bytes for large answers.
   */
  long pageBytesMax() {
    return Math.min(PAGE_BYTES_MAX, largeBytesMax / 2);
  }

  /** Returns the maximum number of bytes. */
  public long bytesMax() {
    return held.bytesMax();
  }

  /** Returns how often bytes were refused since the start. */
  public long refused() {
    return held.refused();
  }

  /** Returns the number of bytes that are taken now. */
  public long heldBytes() {
    return held.heldBytes();
  }

  /**
   * Closes a connection whose client does not take its answer in time, so that the budget gets its
   * bytes back. Mutable; belongs to the connection's event loop.
   */
  static final class Watch {
    private final Vertx vertx;
    private final HttpConnection connection;
    private final AnswerBudget budget;
    private final long timer;
    private long heldNanos = System.nanoTime();
    private long takenNanos = heldNanos;

    /** Begins to watch a connection. */
    Watch(Vertx vertx, HttpConnection connection, AnswerBudget budget) {
      this.vertx = vertx;
      this.connection = connection;
      this.budget = budget;
      this.timer = vertx.setPeriodic(budget.checkMillis(), tick -> check());
    }

    /** Notes that the client took a part of the bytes that are held for it. */
    void took() {
      takenNanos = System.nanoTime();
    }

    /** Notes that the client took bytes, and that the bytes that are held for it now are new. */
    void tookAll() {
      took();
      heldNanos = takenNanos;
    }

    /** Ends the watch. */
    void end() {
      vertx.cancelTimer(timer);
    }

    private void check() {
      long now = System.nanoTime();
      if (budget.isOverdue(now - takenNanos, now - heldNanos)) {
        end();
        closeNow(connection);
      }
    }

    /**
     * Closes a connection without waiting for its client. The close of Vert.x would first write
     * what is queued, which the client does not take.
     */
    static void closeNow(HttpConnection connection) {
      var unused = ((HttpServerConnection) connection).channelHandlerContext().close();
    }
  }
}
