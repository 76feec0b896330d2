package io.lazuli.benchmarks.load;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Optional;

/**
 * A keep-alive connection with at most one pending request. Used only by the thread of its load.
 */
final class Connection {
  private static final int BODY_BYTES_KEPT = 1 << 10;
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final SocketChannel channel;
  private final Script script;
  private final ResponseReader answer = new ResponseReader(BODY_BYTES_KEPT);
  private ByteBuffer request = NOTHING;
  private long sentNanos;

  private Connection(SocketChannel channel, Script script) {
    this.channel = channel;
    this.script = script;
  }

  static Connection open(InetSocketAddress server, Selector selector, Script script)
      throws IOException {
    SocketChannel channel = SocketChannel.open(server);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(false);
    Connection connection = new Connection(channel, script);
    channel.register(selector, SelectionKey.OP_READ, connection);
    return connection;
  }

  /** Sends the script's next request; returns false when there is none. */
  boolean sendNext(SelectionKey key) throws IOException {
    Optional<ByteBuffer> next = script.next();
    if (next.isEmpty()) {
      return false;
    }
    request = next.get();
    answer.reset();
    sentNanos = System.nanoTime();
    write(key);
    return true;
  }

  void write(SelectionKey key) throws IOException {
    channel.write(request);
    int wanted =
        request.hasRemaining()
            ? SelectionKey.OP_READ | SelectionKey.OP_WRITE
            : SelectionKey.OP_READ;
    if (key.interestOps() != wanted) {
      key.interestOps(wanted);
    }
  }

  /** Reads the available bytes; returns true when the response is complete. */
  boolean read(ByteBuffer buffer) throws IOException {
    buffer.clear();
    if (channel.read(buffer) < 0) {
      throw new EOFException("the server closed a connection");
    }
    buffer.flip();
    boolean complete = answer.read(buffer);
    if (buffer.hasRemaining()) {
      throw new IOException("bytes after the end of an answer");
    }
    return complete;
  }

  boolean accept() {
    return script.accept(answer);
  }

  long sentNanos() {
    return sentNanos;
  }

  String describeAnswer() {
    return answer.toString();
  }
}
