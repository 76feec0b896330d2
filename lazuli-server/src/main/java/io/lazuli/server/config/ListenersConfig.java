package io.lazuli.server.config;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The services of a server and the addresses of its listeners.
 *
 * @param services the services that the server has
 * @param admin the admin listener; the hosts of the services do not affect it
 * @param onePort the address at which all services listen together, chosen by the host that a
 *     request names; null if each service has its own
 * @param web the listener of static websites; null for none
 * @param domain the end of the hosts that name an account and a service
 * @param allowedHosts the hosts that requests may name; empty for the names of loopback on
 *     listeners on loopback, and for all hosts elsewhere
 * @param tls the certificate with which the services use https; null for http
 * @param adminTls whether the admin listener uses https with the same certificate
 * @param connections the bounds on the connections of all services together
 */
public record ListenersConfig(
    Set<ServiceName> services,
    ListenAddress blob,
    ListenAddress queue,
    ListenAddress table,
    ListenAddress admin,
    @Nullable ListenAddress onePort,
    @Nullable ListenAddress web,
    String domain,
    List<String> allowedHosts,
    @Nullable TlsFiles tls,
    AdminTls adminTls,
    ConnectionsConfig connections) {
  /** When the admin listener uses https. */
  public enum AdminTls {
    /** If there is a certificate and the listener is not on loopback. */
    AUTO,
    /** Always; the server needs a certificate. */
    ON,
    /** Never; the console is then off beyond loopback. */
    OFF
  }

  public ListenersConfig {
    services = Set.copyOf(services);
    allowedHosts = List.copyOf(allowedHosts);
  }

  /** Returns the same configuration with another certificate. */
  ListenersConfig withTls(TlsFiles files) {
    return new ListenersConfig(
        services,
        blob,
        queue,
        table,
        admin,
        onePort,
        web,
        domain,
        allowedHosts,
        files,
        adminTls,
        connections);
  }

  /** Returns the address of a service, whether or not the server has that service. */
  public ListenAddress of(ServiceName service) {
    if (onePort != null) {
      return onePort;
    }
    return switch (service) {
      case BLOB -> blob;
      case QUEUE -> queue;
      case TABLE -> table;
    };
  }

  /**
   * Returns whether the server listens on the blob port without a blob service, for tools that look
   * there. If the port is 0, it does not: no tool would look at a random port. With one port for
   * all services, there is no blob port.
   */
  public boolean hasSignpost() {
    return onePort == null && !services.contains(ServiceName.BLOB) && blob.port() != 0;
  }
}
