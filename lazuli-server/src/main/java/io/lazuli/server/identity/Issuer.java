package io.lazuli.server.identity;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An issuer of tokens, by the URL that the operator wrote. Entra writes one of two names into the
 * tokens of a tenant: the name of version 1, even if an application asks version 2 for a token of
 * Azure Storage, and the name of version 2. A server that trusts one of them trusts both.
 *
 * @param url the URL exactly as it was written; tokens are compared with it
 */
public record Issuer(String url) {
  /** The host where the tenants of Azure's public cloud sign in. */
  static final String DEFAULT_HOST = "login.microsoftonline.com";

  /** The place of the tenant in the names that Entra's documents for all tenants have. */
  private static final String ANY_TENANT = "{tenantid}";

  private static final int CHARS_MAX = 1_000;
  private static final String DOCUMENT = "/.well-known/openid-configuration";

  private static final Pattern V1 =
      Pattern.compile("https://(sts\\.windows\\.net|sts\\.chinacloudapi\\.cn)/([^/]+)/?");
  private static final Pattern V2 =
      Pattern.compile(
          "https://(login\\.microsoftonline\\.com|login\\.microsoftonline\\.us"
              + "|login\\.partner\\.microsoftonline\\.cn)/([^/]+)(/v2\\.0)?/?");
  private static final Set<String> MANY_TENANTS = Set.of("common", "organizations", "consumers");
  private static final Pattern UUID_FORM =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  /** Returns the issuer of a URL; null if the URL cannot be one. */
  static @Nullable Issuer parse(String text) {
    try {
      URI url = new URI(text);
      String host = url.getHost();
      boolean plain =
          url.getQuery() == null && url.getFragment() == null && url.getUserInfo() == null;
      if (text.length() > CHARS_MAX || host == null || !plain) {
        return null;
      }
      boolean safe =
          "https".equals(url.getScheme()) || ("http".equals(url.getScheme()) && isLoopback(host));
      Issuer issuer = new Issuer(text);
      String tenant = issuer.entraTenant();
      boolean known = tenant == null || MANY_TENANTS.contains(tenant) || uuid(tenant) != null;
      return safe && known ? issuer : null;
    } catch (URISyntaxException e) {
      return null;
    }
  }

  static boolean isLoopback(String host) {
    return host.equals("localhost")
        || host.endsWith(".localhost")
        || host.equals("[::1]")
        || host.matches("127\\.[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}");
  }

  /** Parses a UUID in its full form; returns null if it is not one. */
  static @Nullable UUID uuid(String text) {
    return UUID_FORM.matcher(text).matches() ? UUID.fromString(text) : null;
  }

  private @Nullable String entraTenant() {
    Matcher v1 = V1.matcher(url);
    if (v1.matches()) {
      return v1.group(2);
    }
    Matcher v2 = V2.matcher(url);
    return v2.matches() ? v2.group(2) : null;
  }

  /** Returns the tenant that the URL names; null if it names none. */
  @Nullable UUID tenant() {
    String tenant = entraTenant();
    return tenant == null ? null : uuid(tenant);
  }

  /** Returns whether the issuer signs with the same keys for tenants that the URL does not name. */
  boolean isForAnyTenant() {
    String tenant = entraTenant();
    return tenant != null && MANY_TENANTS.contains(tenant);
  }

  /** Returns the tenants that tokens must name; empty if tokens need none. */
  Set<UUID> tenants(Collection<UUID> allowed) {
    UUID own = tenant();
    return own == null ? Set.copyOf(allowed) : Set.of(own);
  }

  /** Returns the names of the issuer in tokens. */
  Set<String> names(Collection<UUID> allowed) {
    if (entraTenant() == null) {
      return Set.of(url);
    }
    Set<String> names = new LinkedHashSet<>();
    tenants(allowed).forEach(tenant -> names.addAll(entraNames(tenant.toString())));
    return names;
  }

  /** Returns whether a name in the issuer's own document is right. */
  boolean isNamed(String name) {
    if (entraTenant() == null) {
      return name.equals(url);
    }
    UUID own = tenant();
    return entraNames(own == null ? ANY_TENANT : own.toString()).contains(name);
  }

  private List<String> entraNames(String tenant) {
    boolean china = url.contains(".cn/");
    String v1 = china ? "sts.chinacloudapi.cn" : "sts.windows.net";
    return List.of(
        "https://" + v1 + "/" + tenant + "/", "https://" + signInHost() + "/" + tenant + "/v2.0");
  }

  /** Returns the host and the port where users of the issuer sign in. */
  String signInHost() {
    Matcher v1 = V1.matcher(url);
    if (v1.matches()) {
      return v1.group(1).endsWith(".cn") ? "login.partner.microsoftonline.cn" : DEFAULT_HOST;
    }
    return URI.create(url).getRawAuthority();
  }

  /** Returns the address of the document that names the issuer's keys. */
  String documentUrl() {
    return (url.endsWith("/") ? url.substring(0, url.length() - 1) : url) + DOCUMENT;
  }
}
