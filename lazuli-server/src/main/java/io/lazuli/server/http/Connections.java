package io.lazuli.server.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.AttributeKey;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds the connections of several listeners together, and those of each client address. A
 * connection counts from the moment it is accepted, so that unfinished TLS handshakes count too. It
 * counts until it is closed and its last request has ended, because the head of that request is in
 * memory until then. Connections beyond a bound are closed without an answer.
 *
 * <p>All addresses of an IPv6 network of 64 bits count as one, because one client has all of them.
 */
public final class Connections {
  private static final Logger LOG = LoggerFactory.getLogger(Connections.class);
  private static final AttributeKey<Slot> SLOT = AttributeKey.valueOf(Connections.class, "slot");
  private static final long LOG_PERIOD_NANOS = 60_000_000_000L;

  private final int max;
  private final int perAddressMax;
  private final Predicate<InetAddress> unbounded;
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicLong refused = new AtomicLong();
  private final Map<Long, Integer> byNetwork = new ConcurrentHashMap<>();
  private final AtomicLong logAfterNanos = new AtomicLong(System.nanoTime());

  /**
   * @param unbounded the addresses to which {@code perAddressMax} does not apply, such as proxies
   */
  public Connections(int max, int perAddressMax, Predicate<InetAddress> unbounded) {
    this.max = max;
    this.perAddressMax = perAddressMax;
    this.unbounded = unbounded;
  }

  /** Returns the maximum number of connections. */
  public int max() {
    return max;
  }

  /** Returns the number of connections that count now. */
  public int open() {
    return open.get();
  }

  /** Returns the number of connections that were closed because of a bound. */
  public long refused() {
    return refused.get();
  }

  /**
   * Returns a handler for the channel of a listener, which sees every accepted connection.
   *
   * @param bootstrap names the event loops to which the listener gives its connections
   */
  ChannelHandler acceptor(ServerBootstrap bootstrap) {
    return new Acceptor(bootstrap);
  }

  /** Returns the slot of an accepted connection. */
  static Slot slot(Channel channel) {
    return Objects.requireNonNull(channel.attr(SLOT).get());
  }

  private @Nullable Slot tryOpen(SocketAddress peer) {
    InetAddress address = ((InetSocketAddress) peer).getAddress();
    if (open.incrementAndGet() > max) {
      open.decrementAndGet();
      return null;
    }
    long network = network(address);
    int same = byNetwork.merge(network, 1, Integer::sum);
    Slot slot = new Slot(network);
    if (same > perAddressMax && !unbounded.test(address)) {
      slot.leave();
      return null;
    }
    return slot;
  }

  private static long network(InetAddress address) {
    ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
    return address instanceof Inet4Address ? bytes.getInt() & 0xFFFF_FFFFL : bytes.getLong();
  }

  private void refuse(Channel channel, @Nullable SocketAddress peer) {
    long count = refused.incrementAndGet();
    channel.unsafe().closeForcibly();
    long after = logAfterNanos.get();
    long now = System.nanoTime();
    if (now - after >= 0 && logAfterNanos.compareAndSet(after, now + LOG_PERIOD_NANOS)) {
      LOG.warn(
          "connections are refused, {} so far, the last from {}: {} are open", count, peer, open);
    }
  }

  /** The claim of one connection. Used on the connection's event loop only. */
  final class Slot {
    private final long network;
    private int users = 1;

    Slot(long network) {
      this.network = network;
    }

    /** Keeps the slot until one more call of {@link #leave}. */
    void enter() {
      users++;
    }

    void leave() {
      if (--users == 0) {
        byNetwork.computeIfPresent(network, (key, count) -> count == 1 ? null : count - 1);
        open.decrementAndGet();
      }
    }
  }

  private final class Acceptor extends ChannelInboundHandlerAdapter {
    private final ServerBootstrap bootstrap;

    Acceptor(ServerBootstrap bootstrap) {
      this.bootstrap = bootstrap;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object accepted) {
      Channel channel = (Channel) accepted;
      if (!bootstrap.config().childGroup().iterator().hasNext()) {
        // The listener stops: its event loops have left, and its port closes after them.
        channel.unsafe().closeForcibly();
        return;
      }
      SocketAddress peer = channel.remoteAddress();
      Slot slot = peer == null ? null : tryOpen(peer);
      if (slot == null) {
        refuse(channel, peer);
        return;
      }
      channel.attr(SLOT).set(slot);
      channel.closeFuture().addListener(closed -> slot.leave());
      context.fireChannelRead(channel);
    }
  }
}
