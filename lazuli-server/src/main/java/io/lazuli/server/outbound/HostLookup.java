package io.lazuli.server.outbound;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Finds the addresses of a host. A test supplies answers of its own. */
@FunctionalInterface
public interface HostLookup {
  /** Asks the system; blocks. */
  HostLookup SYSTEM = host -> List.of(InetAddress.getAllByName(host));

  List<InetAddress> addresses(String host) throws UnknownHostException;
}
