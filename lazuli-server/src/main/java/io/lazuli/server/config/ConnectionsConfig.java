package io.lazuli.server.config;

import io.lazuli.server.outbound.AddressBlock;
import java.net.InetAddress;
import java.util.List;

/**
 * The bounds on the connections of all services together.
 *
 * @param max the maximum number of connections; 0 for as many as the heap allows
 * @param perAddressMax the maximum number of connections of one client address; 0 for half of all
 * @param trustedProxies the addresses to which {@code perAddressMax} does not apply
 */
public record ConnectionsConfig(int max, int perAddressMax, List<AddressBlock> trustedProxies) {
  public ConnectionsConfig {
    trustedProxies = List.copyOf(trustedProxies);
  }

  /** Returns whether the connections of an address are unbounded. */
  public boolean isTrusted(InetAddress address) {
    return trustedProxies.stream().anyMatch(block -> block.contains(address));
  }
}
