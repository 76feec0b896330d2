package io.lazuli.conformance;

import java.net.URI;

/**
 * A storage account as a client of one service knows it: name, key and endpoint. The endpoint is
 * path style when its URL has a path (emulators), virtual-host style otherwise (Azure).
 */
public record Account(String name, String key, StorageService service, URI endpoint) {

  public static final String DEVELOPMENT_NAME = "devstoreaccount1";
  public static final String DEVELOPMENT_KEY =
      "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

  public static Account development(StorageService service, URI endpoint) {
    return new Account(DEVELOPMENT_NAME, DEVELOPMENT_KEY, service, endpoint);
  }

  /** Returns the URL in front of every resource path, without a trailing slash. */
  public String base() {
    String text = endpoint.toString();
    return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
  }

  /**
   * Returns the path between the host and the resource path: {@code /account}, or an empty string.
   */
  public String pathPrefix() {
    String path = endpoint.getRawPath() == null ? "" : endpoint.getRawPath();
    return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }

  /**
   * Returns the read-only copy of this account, at the address that clients derive (table-rest
   * 2.1).
   */
  public Account secondary() {
    String from = isPathStyle() ? "/" + name : "//" + name;
    return new Account(
        name, key, service, URI.create(base().replaceFirst(from, from + "-secondary")));
  }

  public boolean isPathStyle() {
    return !pathPrefix().isEmpty();
  }

  public boolean isSecure() {
    return "https".equals(endpoint.getScheme());
  }

  public int port() {
    int defaultPort = isSecure() ? 443 : 80;
    return endpoint.getPort() < 0 ? defaultPort : endpoint.getPort();
  }

  public String connectionString() {
    return "DefaultEndpointsProtocol="
        + endpoint.getScheme()
        + ";AccountName="
        + name
        + ";AccountKey="
        + key
        + ";"
        + service.title()
        + "Endpoint="
        + base()
        + ";";
  }
}
