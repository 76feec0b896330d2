package io.lazuli.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Finds ports that must be known before the listening process starts. */
final class FreePort {
  /**
   * The lowest port that is tried. All ports that are tried are below the ephemeral ports, so that
   * no outgoing connection takes one in between.
   */
  private static final int FIRST = 15_000;

  private static final int COUNT = 15_000;
  private static final int ATTEMPTS_MAX = 100;

  private FreePort() {}

  static int find() {
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      int port = FIRST + ThreadLocalRandom.current().nextInt(COUNT);
      if (isFree(port)) {
        return port;
      }
    }
    throw new ClusterException("no free port was found on loopback", null);
  }

  private static boolean isFree(int port) {
    try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return probe.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
