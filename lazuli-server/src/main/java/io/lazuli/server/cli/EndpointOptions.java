package io.lazuli.server.cli;

import io.lazuli.server.ConnectionString;
import io.lazuli.server.EndpointsFile;
import io.lazuli.server.EndpointsFile.Address;
import io.lazuli.server.account.Account;
import io.lazuli.server.config.ListenAddress;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.config.ServiceName;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the addresses at which clients reach the server, for connection strings. */
final class EndpointOptions extends AccountsOption {
  @Option(
      names = "--host",
      paramLabel = "HOST",
      description = "The host that clients use. Default: the host on which the services listen")
  private @Nullable String host;

  @Option(names = "--https", description = "Clients use https. Default: only if tls-cert is set")
  private boolean https;

  EndpointOptions() {}

  @Option(
      names = "--blob-port",
      paramLabel = "PORT",
      description =
          "The port of the blob service. Default: the port of the running server, or the configured port")
  void blobPort(String port) {
    put("blob-port", port);
  }

  @Option(
      names = "--queue-port",
      paramLabel = "PORT",
      description =
          "The port of the queue service. Default: the port of the running server, or the configured port")
  void queuePort(String port) {
    put("queue-port", port);
  }

  @Option(
      names = "--table-port",
      paramLabel = "PORT",
      description =
          "The port of the table service. Default: the port of the running server, or the configured port")
  void tablePort(String port) {
    put("table-port", port);
  }

  /**
   * Returns the connection string of an account: with the addresses of the server that serves the
   * data folder now, or else with the configured ones. Options replace parts of either.
   *
   * @throws io.lazuli.server.config.ConfigException if a setting is invalid
   */
  String connectionString(Account account, Map<String, String> environment) {
    ServerConfig server = read(environment);
    Map<ServiceName, Address> running = EndpointsFile.read(server.store().folder());
    Map<ServiceName, Address> addresses =
        new TreeMap<>(running.isEmpty() ? configured(server) : running);
    Map<String, String> services = new LinkedHashMap<>();
    addresses.forEach(
        (service, address) -> {
          boolean portIsGiven = isGiven(service.label() + "-port");
          int port = portIsGiven ? server.listeners().of(service).port() : address.port();
          String name = host == null ? address.host() : host;
          services.put(
              service.title(),
              (https ? "https" : address.scheme())
                  + "://"
                  + ConnectionString.authority(name, port));
        });
    return ConnectionString.of(account, services);
  }

  private static Map<ServiceName, Address> configured(ServerConfig server) {
    String scheme = server.listeners().tls() == null ? "http" : "https";
    Map<ServiceName, Address> addresses = new EnumMap<>(ServiceName.class);
    for (ServiceName service : server.listeners().services()) {
      ListenAddress listening = server.listeners().of(service);
      addresses.put(service, new Address(scheme, listening.host(), listening.port()));
    }
    return addresses;
  }
}
