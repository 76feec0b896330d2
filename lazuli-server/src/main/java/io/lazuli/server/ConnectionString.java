package io.lazuli.server;

import io.lazuli.server.account.Account;
import java.util.Map;

/**
 * Connection strings, with which SDKs reach an account. They contain a key, so they are printed
 * only on request.
 */
public final class ConnectionString {
  private ConnectionString() {}

  /**
   * Returns the connection string with the account's first key.
   *
   * @param services the URLs without account, by the service's name as in {@code TableEndpoint};
   *     the connection string keeps their order
   */
  public static String of(Account account, Map<String, String> services) {
    boolean secure = services.values().stream().allMatch(url -> url.startsWith("https:"));
    StringBuilder out = new StringBuilder("DefaultEndpointsProtocol=");
    out.append(secure ? "https" : "http").append(";AccountName=").append(account.name());
    out.append(";AccountKey=").append(account.keys().get(0).base64());
    services.forEach(
        (service, url) -> {
          out.append(';').append(service).append("Endpoint=").append(url);
          out.append('/').append(account.name());
        });
    return out.append(';').toString();
  }

  /** Returns host and port as in a URL. A wildcard address is replaced by loopback. */
  public static String authority(String host, int port) {
    String name = host.equals("0.0.0.0") || host.equals("::") ? "127.0.0.1" : host;
    return (name.contains(":") ? "[" + name + "]" : name) + ":" + port;
  }
}
