package io.lazuli.server.junit;

/** The ports of a server's services; 0 for any free port. */
record Ports(int blob, int queue, int table) {
  static final Ports FREE = new Ports(0, 0, 0);
}
