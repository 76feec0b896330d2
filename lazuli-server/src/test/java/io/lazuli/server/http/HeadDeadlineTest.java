package io.lazuli.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpRequestDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class HeadDeadlineTest {
  private final AtomicBoolean closed = new AtomicBoolean();

  /** As with TLS, where the watch is set up while the end of the handshake is read. */
  @Test
  void aHeadInTheReadThatSetTheWatchUpIsInTime() {
    EmbeddedChannel channel = watchedByItsFirstRead();
    channel.writeInbound(text("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
    pass(channel);
    assertThat(closed).isFalse();
    channel.finishAndReleaseAll();
  }

  @Test
  void halfAHeadInTheReadThatSetTheWatchUpIsNot() {
    EmbeddedChannel channel = watchedByItsFirstRead();
    channel.writeInbound(text("GET / HTTP/1.1\r\nHost"));
    pass(channel);
    assertThat(closed).isTrue();
    channel.finishAndReleaseAll();
  }

  private EmbeddedChannel watchedByItsFirstRead() {
    EmbeddedChannel channel = new EmbeddedChannel();
    channel.freezeTime();
    channel.pipeline().addLast(new FirstRead());
    channel.pipeline().addLast("httpDecoder", new HttpRequestDecoder());
    return channel;
  }

  private static Object text(String text) {
    return Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII);
  }

  private static void pass(EmbeddedChannel channel) {
    channel.advanceTimeBy(2, TimeUnit.SECONDS);
    channel.runScheduledPendingTasks();
  }

  private final class FirstRead extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) {
      HeadDeadline.watch(context.pipeline(), Duration.ofSeconds(1), () -> closed.set(true));
      context.fireChannelRead(bytes);
    }
  }
}
