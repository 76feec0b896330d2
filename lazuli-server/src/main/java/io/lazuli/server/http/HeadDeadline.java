package io.lazuli.server.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection when the head of a request takes too long. The time for the first head starts
 * when the connection opens; the time for a later head starts with its first bytes. An idle
 * time-out alone would not be enough: every byte restarts it, so a client that sends one byte from
 * time to time could stay connected forever. No time runs between requests. Mutable; belongs to the
 * connection's event loop.
 *
 * <p>One handler is before the decoder, where it sees when bytes arrive. Another is after the
 * decoder, where it sees decoded heads and bodies. If the beginning of a head arrives in one read
 * with the end of the previous request, the time of that head starts with the next bytes.
 */
final class HeadDeadline extends ChannelInboundHandlerAdapter {
  /** The name that Vert.x gives to the decoder of requests. */
  private static final String DECODER = "httpDecoder";

  private final ScheduledExecutorService loop;
  private final Duration headTimeMax;
  private final Runnable close;
  private @Nullable ScheduledFuture<?> closing;
  private boolean bodyOutstanding;
  private boolean headOrEndRead;

  private HeadDeadline(ScheduledExecutorService loop, Duration headTimeMax, Runnable close) {
    this.loop = loop;
    this.headTimeMax = headTimeMax;
    this.close = close;
  }

  /**
   * Watches a new connection. Must be called on its event loop.
   *
   * @param close closes the connection
   */
  static void watch(ChannelPipeline pipeline, Duration headTimeMax, Runnable close) {
    HeadDeadline deadline = new HeadDeadline(pipeline.channel().eventLoop(), headTimeMax, close);
    pipeline.addFirst(deadline);
    pipeline.addAfter(DECODER, null, deadline.new Decoded());
    deadline.begin();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object bytes) {
    headOrEndRead = false;
    context.fireChannelRead(bytes);
    if (headOrEndRead || bodyOutstanding) {
      end();
    } else {
      begin();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    end();
    context.fireChannelInactive();
  }

  private void begin() {
    if (closing == null) {
      closing = loop.schedule(close, headTimeMax.toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  private void end() {
    ScheduledFuture<?> running = closing;
    if (running != null) {
      running.cancel(false);
      closing = null;
    }
  }

  /** The handler after the decoder: it sees complete heads and the ends of bodies. */
  private final class Decoded extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof HttpRequest) {
        headOrEndRead = true;
        bodyOutstanding = true;
      }
      if (message instanceof LastHttpContent) {
        headOrEndRead = true;
        bodyOutstanding = false;
      }
      // This call is needed too. With TLS, the watch begins while the end of the handshake is read,
      // and a head in the same read is seen only here.
      end();
      context.fireChannelRead(message);
    }
  }
}
