package io.lazuli.server.config;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * The address of one listener.
 *
 * @param port 0 for any free port
 */
public record ListenAddress(String host, int port) {
  /**
   * Returns whether only this machine can reach the address. Looks up the host.
   *
   * @throws ServerStartException if the host is unknown
   */
  public boolean isLoopback() {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      throw new ServerStartException("unknown host " + host);
    }
  }
}
