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
 * Closes a connection on which the head of a request takes too long: the first one from the moment
 * of connecting, later ones from their first bytes. An idle time-out alone would be put off by
 * every byte, so that a client which sends one now and then could stay for ever. Between requests
 * no time runs here. Mutable; belongs to the connection's event loop.
 *
 * <p>It stands in front of the decoder, where it sees when bytes come, and behind it, where it sees
 * what they made. When the beginning of a head comes in one read with the end of the request before
 * it, its time begins with the next bytes.
 */
final class HeadDeadline extends ChannelInboundHandlerAdapter {
  /** The name that Vert.x gives to what decodes requests. */
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
   * Watches a connection that was just made; to be called on its event loop.
   *
   * @param close ends the connection
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

  /** Behind the decoder: whole heads and ends of bodies. */
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
      // Also here: the head that comes in one read with the end of a TLS handshake, during which
      // this was set up, is seen here only.
      end();
      context.fireChannelRead(message);
    }
  }
}
