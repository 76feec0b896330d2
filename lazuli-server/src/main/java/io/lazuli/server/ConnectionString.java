package io.lazuli.server;

import io.lazuli.server.account.Account;
import io.lazuli.server.config.ServiceName;
import java.util.Map;

/**
 * Connection strings, with which SDKs reach an account. They contain a key, so they are printed
 * only on request.
 */
public final class ConnectionString {
  private ConnectionString() {}

  /**
   * Returns the connection string with the account's first key. If hosts name the account, it also
   * has the suffix of the hosts, for clients that know no other form.
   *
   * @param services the connection string keeps their order
   */
  public static String of(Account account, Map<ServiceName, ServiceAddress> services) {
    boolean secure = services.values().stream().allMatch(at -> at.scheme().equals("https"));
    StringBuilder out = new StringBuilder("DefaultEndpointsProtocol=");
    out.append(secure ? "https" : "http").append(";AccountName=").append(account.name());
    out.append(";AccountKey=").append(account.keys().get(0).base64());
    services.forEach(
        (service, address) ->
            out.append(';')
                .append(service.title())
                .append("Endpoint=")
                .append(address.url(service, account.name())));
    services.values().stream()
        .filter(ServiceAddress::isInHosts)
        .findFirst()
        .ifPresent(address -> out.append(";EndpointSuffix=").append(address.endpointSuffix()));
    return out.append(';').toString();
  }

  /** Returns host and port as in a URL. A wildcard address is replaced by loopback. */
  public static String authority(String host, int port) {
    String name = host.equals("0.0.0.0") || host.equals("::") ? "127.0.0.1" : host;
    return (name.contains(":") ? "[" + name + "]" : name) + ":" + port;
  }
}
