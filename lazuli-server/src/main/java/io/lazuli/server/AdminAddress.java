package io.lazuli.server;

import io.lazuli.server.access.HostName;
import io.lazuli.server.config.ListenersConfig;
import io.lazuli.server.config.ServerConfig;

/** How the admin port is reached. */
public final class AdminAddress {
  private AdminAddress() {}

  /** Returns whether only this machine can reach the admin port. */
  static boolean isLoopback(ListenersConfig listeners) {
    return HostName.of(listeners.admin().host()).isLoopback();
  }

  /** Returns whether the admin port uses https. */
  public static boolean isSecure(ListenersConfig listeners) {
    return switch (listeners.adminTls()) {
      case AUTO -> listeners.tls() != null && !isLoopback(listeners);
      case ON -> true;
      case OFF -> false;
    };
  }

  /** Returns the URL of the admin port as this machine reaches it. */
  public static String url(ListenersConfig listeners, int port) {
    return (isSecure(listeners) ? "https://" : "http://")
        + ConnectionString.authority(listeners.admin().host(), port);
  }

  /**
   * Returns the URL of the console. A certificate names no loopback address of a server in a
   * network, so there the first of {@code console-hosts} is better.
   */
  static String console(ServerConfig config, int port) {
    ListenersConfig listeners = config.listeners();
    boolean named =
        isSecure(listeners) && !isLoopback(listeners) && !config.console().hosts().isEmpty();
    return named ? "https://" + config.console().hosts().get(0) + ":" + port : url(listeners, port);
  }
}
