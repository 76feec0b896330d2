package io.lazuli.server;

import io.lazuli.server.account.Account;
import java.util.Map;

/** What SDKs take to reach an account. It holds a key: it is printed only when asked for. */
public final class ConnectionString {
  private ConnectionString() {}

  /**
   * The connection string with the account's first key.
   *
   * @param services from a service's name as it stands in {@code TableEndpoint} to its URL without
   *     account; in the order in which they shall stand
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

  /** Host and port as a URL has them; a wildcard address is reached through loopback. */
  public static String authority(String host, int port) {
    String name = host.equals("0.0.0.0") || host.equals("::") ? "127.0.0.1" : host;
    return (name.contains(":") ? "[" + name + "]" : name) + ":" + port;
  }
}
