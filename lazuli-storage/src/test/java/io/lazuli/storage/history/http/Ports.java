package io.lazuli.storage.history.http;

import java.net.InetSocketAddress;

/** The ports of a server. */
public record Ports(String host, int table, int queue, int blob) {
  private static final String LOOPBACK = "127.0.0.1";

  /** Returns the ports of a server on loopback. */
  public static Ports onLoopback(int table, int queue, int blob) {
    return new Ports(LOOPBACK, table, queue, blob);
  }

  InetSocketAddress tables() {
    return new InetSocketAddress(host, table);
  }

  InetSocketAddress queues() {
    return new InetSocketAddress(host, queue);
  }

  InetSocketAddress blobs() {
    return new InetSocketAddress(host, blob);
  }
}
