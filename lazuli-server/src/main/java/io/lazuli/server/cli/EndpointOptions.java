package io.lazuli.server.cli;

import io.lazuli.server.ConnectionString;
import io.lazuli.server.EndpointsFile;
import io.lazuli.server.ServiceAddress;
import io.lazuli.server.account.Account;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.config.ServiceName;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options for the addresses at which clients reach the server, for connection strings. */
final class EndpointOptions extends AccountsOption {
  private static final String ONE_PORT = "one-port";
  private static final String DOMAIN = "domain";

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

  @Option(
      names = "--one-port",
      paramLabel = "PORT",
      description = "The port of all services, with the account in the host")
  void onePort(String port) {
    put(ONE_PORT, port);
  }

  @Option(
      names = "--domain",
      paramLabel = "DOMAIN",
      description = "The domain of one-port. Default: the domain of the running server")
  void domain(String name) {
    put(DOMAIN, name);
  }

  /**
   * Returns the connection string of an account: with the addresses of the server that serves the
   * data folder now, or else with the configured ones. Options replace parts of either.
   *
   * @throws io.lazuli.server.config.ConfigException if a setting is invalid
   */
  String connectionString(Account account, Map<String, String> environment) {
    ServerConfig server = read(environment);
    Map<ServiceName, ServiceAddress> running = EndpointsFile.read(server.store().folder());
    Map<ServiceName, ServiceAddress> addresses =
        new TreeMap<>(running.isEmpty() ? configured(server) : running);
    addresses.replaceAll((service, address) -> asGiven(server, service, address));
    return ConnectionString.of(account, addresses);
  }

  /** Replaces the parts of an address that options give. */
  private ServiceAddress asGiven(ServerConfig server, ServiceName service, ServiceAddress address) {
    boolean inHosts = isGiven(ONE_PORT) || !address.domain().isEmpty();
    boolean portIsGiven = isGiven(inHosts ? ONE_PORT : service.label() + "-port");
    boolean domainIsGiven = isGiven(ONE_PORT) || (inHosts && isGiven(DOMAIN));
    return new ServiceAddress(
        https ? "https" : address.scheme(),
        host == null ? address.host() : host,
        portIsGiven ? server.listeners().of(service).port() : address.port(),
        domainIsGiven ? server.listeners().domain() : address.domain());
  }

  private static Map<ServiceName, ServiceAddress> configured(ServerConfig server) {
    Map<ServiceName, ServiceAddress> addresses = new EnumMap<>(ServiceName.class);
    for (ServiceName service : server.listeners().services()) {
      int port = server.listeners().of(service).port();
      addresses.put(service, ServiceAddress.of(server, service, port));
    }
    return addresses;
  }
}
