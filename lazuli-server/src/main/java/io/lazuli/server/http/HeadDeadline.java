package io.lazuli.server.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection when the head of a request takes too long. The time for the first head starts
 * when the connection opens; the time for a later head starts with its first bytes. An idle
 * time-out alone would not be enough: every byte restarts it, so a client that sends one byte from
 * time to time could stay connected forever. No time runs between requests. Mutable; belongs to the
 * connection's event loop.
 */
final class HeadDeadline {
  private final Channel channel;
  private final Duration headTimeMax;
  private @Nullable ScheduledFuture<?> closing;

  HeadDeadline(Channel channel, Duration headTimeMax) {
    this.channel = channel;
    this.headTimeMax = headTimeMax;
  }

  /** Starts the time, unless it already runs. */
  void begin() {
    if (closing == null) {
      closing =
          channel.eventLoop().schedule(this::close, headTimeMax.toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  /** Stops the time: the head is complete. */
  void end() {
    ScheduledFuture<?> running = closing;
    if (running != null) {
      running.cancel(false);
      closing = null;
    }
  }

  private void close() {
    ChannelFuture unused = channel.close();
  }
}
