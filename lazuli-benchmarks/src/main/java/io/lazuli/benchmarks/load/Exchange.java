package io.lazuli.benchmarks.load;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** One request and its response on a separate connection, for requests that are not measured. */
public final class Exchange {
  private static final int BODY_BYTES_KEPT = 8 << 20;

  private Exchange() {}

  /** Returns the response, whatever its status. */
  public static ResponseReader send(InetSocketAddress server, ByteBuffer request)
      throws IOException {
    ResponseReader answer = new ResponseReader(BODY_BYTES_KEPT);
    try (SocketChannel channel = SocketChannel.open(server)) {
      while (request.hasRemaining()) {
        channel.write(request);
      }
      ByteBuffer in = ByteBuffer.allocate(64 << 10);
      do {
        in.clear();
        if (channel.read(in) < 0) {
          throw new EOFException("the connection was closed before the response was complete");
        }
        in.flip();
      } while (!answer.read(in));
    }
    return answer;
  }

  /** Returns the response, which must be a success. */
  public static ResponseReader require(InetSocketAddress server, ByteBuffer request)
      throws IOException {
    ResponseReader answer = send(server, request);
    if (!answer.succeeded()) {
      throw new LoadFailedException("the preparation failed: " + answer);
    }
    return answer;
  }
}
