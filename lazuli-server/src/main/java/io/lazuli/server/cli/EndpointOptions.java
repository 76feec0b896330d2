package io.lazuli.server.cli;

import io.lazuli.server.ConnectionString;
import io.lazuli.server.account.Account;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.config.ServiceName;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
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
      description = "The port of the blob service. Default: the configured port, or 10000")
  void blobPort(String port) {
    put("blob-port", port);
  }

  @Option(
      names = "--queue-port",
      paramLabel = "PORT",
      description = "The port of the queue service. Default: the configured port, or 10001")
  void queuePort(String port) {
    put("queue-port", port);
  }

  @Option(
      names = "--table-port",
      paramLabel = "PORT",
      description = "The port of the table service. Default: the configured port, or 10002")
  void tablePort(String port) {
    put("table-port", port);
  }

  /**
   * Returns the connection string of an account.
   *
   * @throws io.lazuli.server.config.ConfigException if a setting is invalid
   */
  String connectionString(Account account, Map<String, String> environment) {
    ServerConfig server = read(environment);
    String scheme = https || server.listeners().tls() != null ? "https://" : "http://";
    Map<String, String> services = new LinkedHashMap<>();
    for (ServiceName service : new TreeSet<>(server.listeners().services())) {
      String name = host == null ? server.listeners().of(service).host() : host;
      services.put(
          service.title(),
          scheme + ConnectionString.authority(name, server.listeners().of(service).port()));
    }
    return ConnectionString.of(account, services);
  }
}
