package io.lazuli.conformance.siege;

import com.sun.management.UnixOperatingSystemMXBean;
import io.lazuli.conformance.StorageService;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Many hostile connections on one thread, from many addresses of loopback other than 127.0.0.1,
 * which the legitimate client uses. Time is divided into ticks, in which a slow attacker sends or
 * reads a few bytes. All work happens during {@link #run}.
 */
final class Attackers implements AutoCloseable {

  private static final long TICK_NANOS = 50_000_000;
  private static final int CONNECTING_MAX = 128;
  private static final int SMALL_BUFFER_BYTES = 4 << 10;
  private static final int LOOK_BYTES_MAX = 64 << 10;

  /** Descriptors that this JVM keeps for itself. */
  private static final int RESERVED_DESCRIPTORS = 500;

  private final Map<StorageService, InetSocketAddress> targets =
      new EnumMap<>(StorageService.class);
  private final int addresses;
  private final Selector selector;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(64 << 10);
  private final List<Group> groups = new ArrayList<>();
  private final List<Line> lines = new ArrayList<>();
  private final Map<Integer, Long> statuses = new TreeMap<>();
  private int connecting;
  private long opened;
  private long established;
  private long refused;
  private long cut;
  private long sentBytes;
  private long readBytes;

  Attackers(Target target, int addresses) throws IOException {
    for (StorageService service : StorageService.values()) {
      targets.put(service, target.address(service));
    }
    this.addresses = addresses;
    this.selector = Selector.open();
  }

  /** Returns how many connections this process can open. */
  static int connectionsMax() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? (int) Math.min(60_000, unix.getMaxFileDescriptorCount()) - RESERVED_DESCRIPTORS
        : 1_000;
  }

  /** Opens connections, each once. */
  Attackers add(int count, Supplier<Attacker> kind) {
    groups.add(new Group(count, kind, false));
    return this;
  }

  /** Opens connections, and a new one for each that ends. */
  Attackers keep(int count, Supplier<Attacker> kind) {
    groups.add(new Group(count, kind, true));
    return this;
  }

  /** Attacks for a period. */
  void run(Duration period) throws IOException {
    run(period, () -> false);
  }

  /** Attacks until each connection has all its answers or has ended. Returns false if time ends. */
  boolean finish(Duration max) throws IOException {
    run(max, this::isFinished);
    return isFinished();
  }

  boolean isFinished() {
    return groups.stream().noneMatch(Group::wantsMore)
        && lines.stream().allMatch(line -> line.attacker.hasAllAnswers());
  }

  /** Returns true if every connection was opened and has sent all that it has to send. */
  boolean hasSentAll() {
    return connecting == 0
        && groups.stream().noneMatch(Group::wantsMore)
        && lines.stream().allMatch(line -> line.attacker.hasSentAll());
  }

  void run(Duration max, BooleanSupplier enough) throws IOException {
    long end = System.nanoTime() + max.toNanos();
    long tick = System.nanoTime();
    while (System.nanoTime() < end && !enough.getAsBoolean()) {
      open();
      selector.select(Math.max(1, (tick - System.nanoTime()) / 1_000_000));
      for (SelectionKey key : selector.selectedKeys()) {
        ((Line) key.attachment()).work();
      }
      selector.selectedKeys().clear();
      if (System.nanoTime() >= tick) {
        tick = System.nanoTime() + TICK_NANOS;
        lines.removeIf(line -> !line.channel.isOpen());
        lines.forEach(Line::tick);
      }
    }
  }

  private void open() {
    for (Group group : groups) {
      while (connecting < CONNECTING_MAX && group.wantsMore() && lines.size() < connectionsMax()) {
        try {
          Line line = new Line(group, group.kind.get());
          group.open++;
          group.opened++;
          opened++;
          connecting++;
          lines.add(line);
        } catch (IOException e) {
          refused++;
          group.opened++;
          return;
        }
      }
    }
  }

  /** Reads a little of each connection that never read, to see whether the server has ended it. */
  void look() {
    for (Line line : lines) {
      if (line.channel.isOpen() && line.attacker.readPerTick() == 0) {
        line.readLeft = LOOK_BYTES_MAX;
        line.readSome();
      }
    }
    lines.removeIf(line -> !line.channel.isOpen());
  }

  /** Returns the number of connections that are open now, as far as the client can see. */
  int stillOpen() {
    return lines.size() - connecting;
  }

  long established() {
    return established;
  }

  /** Returns the number of answers of each status. */
  Map<Integer, Long> statuses() {
    Map<Integer, Long> all = new TreeMap<>(statuses);
    lines.forEach(
        line -> line.attacker.answers().statuses().forEach((s, n) -> all.merge(s, n, Long::sum)));
    return all;
  }

  /** Describes what happened in one line. */
  String summary() {
    return "%,d connections (%,d refused, %,d cut), %,d MB sent, %,d MB read, answers %s"
        .formatted(
            established, refused, cut, sentBytes / 1_000_000, readBytes / 1_000_000, statuses());
  }

  @Override
  public void close() {
    lines.forEach(Line::close);
    try {
      selector.close();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Connections that behave alike. */
  private static final class Group {
    private final int wanted;
    private final Supplier<Attacker> kind;
    private final boolean renewed;
    private int open;
    private long opened;

    Group(int wanted, Supplier<Attacker> kind, boolean renewed) {
      this.wanted = wanted;
      this.kind = kind;
      this.renewed = renewed;
    }

    boolean wantsMore() {
      return renewed ? open < wanted : opened < wanted;
    }
  }

  /** One connection. */
  private final class Line {
    private final Group group;
    private final Attacker attacker;
    private final SocketChannel channel;
    private final SelectionKey key;
    private int readLeft;
    private boolean connected;
    private boolean outputClosed;

    Line(Group group, Attacker attacker) throws IOException {
      this.group = group;
      this.attacker = attacker;
      this.readLeft = attacker.readPerTick();
      this.channel = SocketChannel.open();
      try {
        channel.configureBlocking(false);
        if (readLeft < Attacker.UNLIMITED) {
          channel.setOption(StandardSocketOptions.SO_RCVBUF, SMALL_BUFFER_BYTES);
        }
        // Resets spare this machine the connections that wait in TIME_WAIT.
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        channel.bind(new InetSocketAddress(source(), 0));
        channel.connect(targets.get(attacker.service()));
        this.key = channel.register(selector, SelectionKey.OP_CONNECT, this);
      } catch (IOException e) {
        channel.close();
        throw e;
      }
    }

    private InetAddress source() throws IOException {
      int number = (int) (opened % addresses);
      return InetAddress.getByAddress(
          new byte[] {127, 0, (byte) (number / 250), (byte) (2 + number % 250)});
    }

    void work() {
      try {
        if (!connected && !finishConnect()) {
          return;
        }
        readSome();
        if (channel.isOpen()) {
          writeSome();
        }
      } catch (IOException e) {
        end();
      }
    }

    private boolean finishConnect() {
      try {
        if (!channel.finishConnect()) {
          return false;
        }
        connecting--;
        connected = true;
        established++;
        return true;
      } catch (IOException e) {
        connecting--;
        refused++;
        close();
        return false;
      }
    }

    void tick() {
      if (!connected || !channel.isOpen()) {
        return;
      }
      attacker.tick();
      readLeft = attacker.readPerTick();
      boolean slowReader = readLeft > 0 && readLeft < Attacker.UNLIMITED;
      if (attacker.isPaced() || slowReader) {
        work();
      }
    }

    private void writeSome() throws IOException {
      boolean full = false;
      ByteBuffer bytes = attacker.toSend();
      while (bytes != null && !full) {
        sentBytes += channel.write(bytes);
        full = bytes.hasRemaining();
        bytes = attacker.toSend();
      }
      if (attacker.hasSentAll()) {
        afterAll();
      }
      if (channel.isOpen()) {
        key.interestOps(
            (full ? SelectionKey.OP_WRITE : 0) | (readLeft > 0 ? SelectionKey.OP_READ : 0));
      }
    }

    private void afterAll() throws IOException {
      if (attacker.leaves()) {
        close();
      } else if (attacker.closesOutput() && !outputClosed) {
        outputClosed = true;
        channel.shutdownOutput();
      }
    }

    void readSome() {
      try {
        while (readLeft > 0) {
          buffer.clear().limit(Math.min(readLeft, buffer.capacity()));
          int count = channel.read(buffer);
          if (count < 0) {
            end();
          }
          if (count <= 0) {
            return;
          }
          readBytes += count;
          readLeft -= attacker.readPerTick() == Attacker.UNLIMITED ? 0 : count;
          attacker.answers().scan(buffer.flip());
        }
      } catch (IOException e) {
        end();
      }
    }

    /** Notes that the server has ended the connection. */
    private void end() {
      cut++;
      close();
    }

    void close() {
      if (!channel.isOpen()) {
        return;
      }
      group.open--;
      attacker.answers().statuses().forEach((s, n) -> statuses.merge(s, n, Long::sum));
      attacker.answers().statuses().clear();
      try {
        channel.close();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
