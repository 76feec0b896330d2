package io.lazuli.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.vertx.core.http.Http1ServerConfig;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HeadDeadlineTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** As with TLS, where the watch is set up while the end of the handshake is read. */
  @Test
  void aHeadInTheReadThatSetTheWatchUpIsInTime() {
    EmbeddedChannel channel = watchedByItsFirstRead();
    channel.writeInbound(text("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
    pass(channel);
    assertThat(channel.isOpen()).isTrue();
    channel.finishAndReleaseAll();
  }

  @Test
  void halfAHeadInTheReadThatSetTheWatchUpIsNot() {
    EmbeddedChannel channel = watchedByItsFirstRead();
    channel.writeInbound(text("GET / HTTP/1.1\r\nHost"));
    pass(channel);
    assertThat(channel.isOpen()).isFalse();
    channel.finishAndReleaseAll();
  }

  /** Its time starts when the previous request has ended: only then is it decoded. */
  @Test
  void halfAHeadAfterAWholeRequestIsNot() {
    EmbeddedChannel channel = watchedByItsFirstRead();
    channel.writeInbound(text("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP"));
    pass(channel);
    assertThat(channel.isOpen()).isTrue();
    RequestFlow flow = RequestFlow.of(channel);
    flow.begin();
    flow.ended();
    channel.runPendingTasks();
    pass(channel);
    assertThat(channel.isOpen()).isFalse();
    channel.finishAndReleaseAll();
  }

  private static EmbeddedChannel watchedByItsFirstRead() {
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

  private static final class FirstRead extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object bytes) {
      Connections one = EchoService.connections(1);
      ListenerConfig config =
          new ListenerConfig(
              "", 0, 4096, 4096, 100, SECOND, SECOND, SECOND, 0, SECOND, null, SECOND);
      RequestFlow.install(
          context.pipeline(), new Http1ServerConfig(), config, new ByteBudget(0), one.new Slot(0));
      context.pipeline().remove(this);
      context.fireChannelRead(bytes);
    }
  }
}
