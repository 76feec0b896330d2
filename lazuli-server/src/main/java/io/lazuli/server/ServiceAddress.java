package io.lazuli.server;

import io.lazuli.server.config.ListenersConfig;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.config.ServiceName;

/**
 * The address of one service, as clients see it.
 *
 * @param scheme {@code http} or {@code https}
 * @param host the host on which the service listens
 * @param domain the end of hosts that name an account; empty if URLs have the account in their path
 */
public record ServiceAddress(String scheme, String host, int port, String domain) {
  /**
   * Returns whether the SDK for .NET expects the account in the path at a port, whatever the host:
   * it takes these ports for those of an emulator (Azure/azure-sdk-for-net#32809).
   */
  static boolean isMistaken(int port) {
    return port >= 10_000 && port <= 11_104 && port % 100 <= 4 && port % 1_000 / 100 <= 1;
  }

  /** Returns the address of a service that has a port. */
  public static ServiceAddress of(ServerConfig config, ServiceName service, int port) {
    ListenersConfig listeners = config.listeners();
    return new ServiceAddress(
        listeners.tls() == null ? "http" : "https",
        listeners.of(service).host(),
        port,
        listeners.onePort() == null ? "" : listeners.domain());
  }

  /** Returns the URL of an account on a service. */
  public String url(ServiceName service, String account) {
    return isInHosts()
        ? scheme + "://" + account + "." + service.label() + "." + endpointSuffix()
        : scheme + "://" + ConnectionString.authority(host, port) + "/" + account;
  }

  /** Returns whether hosts name the account. */
  boolean isInHosts() {
    return !domain.isEmpty();
  }

  /** Returns the end of all hosts in the form of a connection string: the domain and the port. */
  String endpointSuffix() {
    boolean isUsual = port == (scheme.equals("https") ? 443 : 80);
    return isUsual ? domain : domain + ":" + port;
  }
}
