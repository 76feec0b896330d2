package io.lazuli.server.identity;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The tokens that a server accepts.
 *
 * @param oauth whether tokens are accepted whose signature nobody checks
 * @param issuers the issuers whose keys are fetched
 * @param keyFiles the files with the keys of other issuers, by issuer
 * @param audiences the audiences that tokens may have; empty for those of Azure Storage
 * @param tenants the tenants whose tokens are accepted; empty for all tenants of the issuers
 * @param authority the certificates that issuers are checked against; null for those of the JVM
 * @param overHttp true if tokens are accepted over plain http, on loopback
 */
public record TokenConfig(
    OAuth oauth,
    List<Issuer> issuers,
    Map<Issuer, Path> keyFiles,
    List<String> audiences,
    List<UUID> tenants,
    @Nullable Path authority,
    boolean overHttp) {
  /** The most issuers, audiences or tenants. */
  static final int ENTRIES_MAX = 32;

  private static final String RESOURCE = "https://storage.azure.com";

  /** The path segment for issuers without tenants: clients only take a UUID for a tenant. */
  private static final UUID NO_TENANT = new UUID(0, 0);

  public static final TokenConfig NONE =
      new TokenConfig(OAuth.OFF, List.of(), Map.of(), List.of(), List.of(), null, false);

  /** Whether tokens are accepted whose signature nobody checks, as Azurite does. */
  public enum OAuth {
    OFF,
    BASIC
  }

  public TokenConfig {
    issuers = List.copyOf(issuers);
    keyFiles = Map.copyOf(keyFiles);
    audiences = List.copyOf(audiences);
    tenants = List.copyOf(tenants);
  }

  public TokenConfig withOauth(OAuth level) {
    return new TokenConfig(level, issuers, keyFiles, audiences, tenants, authority, overHttp);
  }

  public TokenConfig withIssuers(List<Issuer> some) {
    return new TokenConfig(oauth, some, keyFiles, audiences, tenants, authority, overHttp);
  }

  public TokenConfig withKeyFiles(Map<Issuer, Path> files) {
    return new TokenConfig(oauth, issuers, files, audiences, tenants, authority, overHttp);
  }

  public TokenConfig withAudiences(List<String> some) {
    return new TokenConfig(oauth, issuers, keyFiles, some, tenants, authority, overHttp);
  }

  public TokenConfig withTenants(List<UUID> some) {
    return new TokenConfig(oauth, issuers, keyFiles, audiences, some, authority, overHttp);
  }

  public TokenConfig withAuthority(Path file) {
    return new TokenConfig(oauth, issuers, keyFiles, audiences, tenants, file, overHttp);
  }

  public TokenConfig withOverHttp(boolean allowed) {
    return new TokenConfig(oauth, issuers, keyFiles, audiences, tenants, authority, allowed);
  }

  /** Returns whether any tokens are accepted. */
  public boolean isOn() {
    return oauth == OAuth.BASIC || !issuers.isEmpty() || !keyFiles.isEmpty();
  }

  /**
   * Returns one line about settings that contradict each other; empty if there are none.
   *
   * @param secure true if the services use https
   * @param loopback true if only this machine can reach them
   */
  public String contradiction(boolean secure, boolean loopback) {
    boolean trusts = !issuers.isEmpty() || !keyFiles.isEmpty();
    if (oauth == OAuth.BASIC && trusts) {
      return "oauth = basic accepts tokens that nobody signed, so it excludes oidc-issuer and"
          + " oidc-jwks";
    } else if (!trusts && !(audiences.isEmpty() && tenants.isEmpty() && authority == null)) {
      return "oidc-audience, oidc-tenant and oidc-ca need an oidc-issuer or oidc-jwks";
    } else if (overHttp && !isOn()) {
      return "tokens-over-http needs oauth, oidc-issuer or oidc-jwks";
    } else if (overHttp && !loopback) {
      return "tokens-over-http is for loopback only: use tls-cert";
    } else if (isOn() && !secure && !overHttp) {
      return "tokens need https: set tls-cert, or tokens-over-http on loopback";
    }
    return issuers.stream()
        .map(this::contradiction)
        .filter(line -> !line.isEmpty())
        .findFirst()
        .orElse("");
  }

  private String contradiction(Issuer issuer) {
    UUID own = issuer.tenant();
    if (keyFiles.containsKey(issuer)) {
      return issuer.url() + " is in oidc-issuer and in oidc-jwks";
    } else if (issuer.isForAnyTenant() && tenants.isEmpty()) {
      return issuer.url() + " signs for every tenant: set oidc-tenant";
    } else if (own != null && !tenants.isEmpty() && !tenants.contains(own)) {
      return "oidc-tenant excludes the tenant of " + issuer.url();
    }
    return "";
  }

  /** Returns all issuers, the ones with fetched keys first. */
  List<Issuer> trusted() {
    List<Issuer> all = new ArrayList<>(issuers);
    all.addAll(keyFiles.keySet());
    return all;
  }

  /**
   * Returns the challenge for clients without a valid token (auth 8). SDKs take the tenant and the
   * resource from it.
   */
  public String challenge() {
    Issuer first = trusted().stream().findFirst().orElse(null);
    UUID own = first == null ? null : first.tenant();
    UUID tenant = own != null ? own : tenants.stream().findFirst().orElse(NO_TENANT);
    return challenge(first == null ? Issuer.DEFAULT_HOST : first.signInHost(), tenant);
  }

  static String challenge(String host, UUID tenant) {
    return "Bearer authorization_uri=https://"
        + host
        + "/"
        + tenant
        + "/oauth2/authorize resource_id="
        + RESOURCE;
  }

  /** Parses a comma-separated list of issuers; returns null if one is invalid. */
  public static @Nullable List<Issuer> parseIssuers(String text) {
    Set<Issuer> issuers = new LinkedHashSet<>();
    for (String part : text.split(",", -1)) {
      Issuer issuer = Issuer.parse(part.strip());
      if (issuer == null) {
        return null;
      }
      issuers.add(issuer);
    }
    return issuers.size() > ENTRIES_MAX ? null : List.copyOf(issuers);
  }

  /** Parses a comma-separated list of {@code ISSUER=FILE}; returns null if it is invalid. */
  public static @Nullable Map<Issuer, Path> parseKeyFiles(String text) {
    Map<Issuer, Path> files = new LinkedHashMap<>();
    for (String part : text.split(",", -1)) {
      int sign = part.indexOf('=');
      Issuer issuer = sign < 0 ? null : Issuer.parse(part.substring(0, sign).strip());
      Path file = sign < 0 ? null : path(part.substring(sign + 1).strip());
      if (issuer == null || file == null || files.put(issuer, file) != null) {
        return null;
      }
    }
    return files.size() > ENTRIES_MAX ? null : files;
  }

  private static @Nullable Path path(String text) {
    try {
      return text.isEmpty() ? null : Path.of(text);
    } catch (InvalidPathException e) {
      return null;
    }
  }

  /** Parses a comma-separated list of audiences; returns null if one is empty or has spaces. */
  public static @Nullable List<String> parseAudiences(String text) {
    List<String> audiences = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      String audience = part.strip();
      if (!audience.matches("[\\x21-\\x7e]{1,1000}")) {
        return null;
      }
      audiences.add(audience);
    }
    return audiences.size() > ENTRIES_MAX ? null : audiences;
  }

  /** Parses a comma-separated list of tenant ids; returns null if one is not a UUID. */
  public static @Nullable List<UUID> parseTenants(String text) {
    List<UUID> tenants = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      UUID tenant = Issuer.uuid(part.strip());
      if (tenant == null) {
        return null;
      }
      tenants.add(tenant);
    }
    return tenants.size() > ENTRIES_MAX ? null : tenants;
  }

  public static String issuersText(List<Issuer> issuers) {
    return issuers.stream().map(Issuer::url).collect(Collectors.joining(","));
  }

  public static String keyFilesText(Map<Issuer, Path> files) {
    return files.entrySet().stream()
        .map(entry -> entry.getKey().url() + "=" + entry.getValue())
        .sorted()
        .collect(Collectors.joining(","));
  }

  public static String tenantsText(List<UUID> tenants) {
    return tenants.stream()
        .map(tenant -> tenant.toString().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(","));
  }
}
