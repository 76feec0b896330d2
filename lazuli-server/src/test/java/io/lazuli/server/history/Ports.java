package io.lazuli.server.history;

import io.lazuli.server.LazuliServer;

/** The ports of a server. */
record Ports(int table, int queue, int blob) {
  static Ports of(LazuliServer server) {
    return new Ports(server.tablePort(), server.queuePort(), server.blobPort());
  }
}
