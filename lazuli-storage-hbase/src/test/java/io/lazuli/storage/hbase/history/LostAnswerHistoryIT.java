package io.lazuli.storage.hbase.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.lazuli.cluster.Cluster;
import io.lazuli.cluster.ClusterSpec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A history in which answers of a region server are lost while others write the same records. The
 * region server listens at one loopback address and announces another, where a proxy listens.
 */
@Tag("long")
final class LostAnswerHistoryIT {
  private static final String SERVER = "127.0.0.1";
  private static final String PROXY = "127.0.0.2";
  private static final int ROUNDS = 30;

  /** The operations that must succeed after each loss, however slow the machine is. */
  private static final int OPERATIONS = 300;

  @Test
  void nothingIsWrongWhenAnswersAreLost() throws IOException {
    int port = freePort();
    try (LossyProxy proxy = proxy(port);
        Cluster cluster = Cluster.start(behindProxy(port))) {
      FaultRun.with(
          cluster.clientConfig(), "answers lost while rivals write", run -> lose(proxy, run));
      assertThat(proxy.lostBytes()).isPositive();
    }
  }

  private static void lose(LossyProxy proxy, FaultRun run) {
    Random random = new Random();
    for (int round = 0; round < ROUNDS; round++) {
      proxy.loseAnswers(random);
      FaultRun.pass(Duration.ofMillis(200));
      proxy.cut();
      run.awaitOperations(OPERATIONS);
    }
  }

  private static LossyProxy proxy(int port) throws IOException {
    return new LossyProxy(loopback(2, port), loopback(1, port));
  }

  private static InetSocketAddress loopback(int number, int port) throws IOException {
    byte[] address = {127, 0, 0, (byte) number};
    return new InetSocketAddress(InetAddress.getByAddress(address), port);
  }

  private static ClusterSpec behindProxy(int port) {
    return ClusterSpec.of(1)
        .withSetting("hbase.regionserver.hostname", PROXY)
        .withSetting("hbase.regionserver.ipc.address", SERVER)
        .withSetting("hbase.regionserver.port", String.valueOf(port));
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
