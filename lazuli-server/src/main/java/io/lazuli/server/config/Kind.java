package io.lazuli.server.config;

import io.lazuli.server.account.Account;
import io.lazuli.server.account.AccountOptions;
import io.lazuli.server.development.DevelopmentConfig;
import io.lazuli.server.development.DevelopmentIdentity;
import io.lazuli.server.identity.Issuer;
import io.lazuli.server.identity.TokenConfig;
import io.lazuli.server.outbound.AddressBlock;
import io.lazuli.server.outbound.AllowedSources;
import io.lazuli.server.rehearsal.Rehearsal;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The type of a setting's values.
 *
 * @param label the placeholder for a value in help and documents
 * @param wanted a description of valid values, as in "must be {@code wanted}"
 * @param parse returns null for an invalid text
 * @param show returns a text that {@code parse} turns into the value
 */
record Kind<T>(
    String label, String wanted, Function<String, @Nullable T> parse, Function<T, String> show) {

  /** On or off. As an option it needs no value. */
  static final Kind<Boolean> SWITCH =
      new Kind<>("true|false", "true or false", Kind::parseSwitch, String::valueOf);

  static final Kind<Integer> PORT = number("PORT", 65_535, "a number from 0 to 65535");
  static final Kind<Integer> COUNT =
      number("N", Integer.MAX_VALUE, "a number that is not negative");
  static final Kind<Integer> MEBIBYTES = number("MIB", Settings.MEBIBYTES_MAX, "a number of MiB");
  static final Kind<Integer> SECONDS =
      number("SECONDS", 3_600, "a number of seconds from 0 to 3600");
  static final Kind<Integer> DAYS =
      number("DAYS", AccountOptions.RETENTION_DAYS_MAX, "a number of days from 0 to 365");
  static final Kind<String> HOST =
      new Kind<>("HOST", "a host name or an address", Kind::parseText, host -> host);
  static final Kind<String> DOMAIN =
      new Kind<>("DOMAIN", "a domain name without a port", DomainName::parse, domain -> domain);
  static final Kind<List<String>> HOSTS =
      new Kind<>(
          "HOSTS",
          "a comma-separated list of host names and addresses without ports, or *",
          Kind::parseHosts,
          hosts -> String.join(",", hosts));

  static final Kind<URI> URL =
      new Kind<>("URL", "an http or https URL", Kind::parseUrl, URI::toString);

  static final Kind<String> NAME = new Kind<>("NAME", "a name", Kind::parseText, name -> name);
  static final Kind<String> SECRET =
      new Kind<>("PASSWORD", "a password", Kind::parseText, secret -> secret);

  /** A folder or a URL with a signature, so it is masked. */
  static final Kind<String> BACKUP_TARGET =
      new Kind<>("TARGET", "a folder or the URL of a container", Kind::parseText, text -> text);

  static final Kind<Path> FOLDER =
      new Kind<>("DIR", "the name of a folder", Kind::parsePath, Path::toString);
  static final Kind<Path> FILE =
      new Kind<>("FILE", "the name of a file", Kind::parsePath, Path::toString);
  static final Kind<Set<ServiceName>> SERVICES =
      new Kind<>(
          "NAMES",
          "a comma-separated list of blob, queue and table",
          Kind::parseServices,
          ServiceName::list);

  static final Kind<List<AddressBlock>> ADDRESSES =
      new Kind<>(
          "ADDRESSES",
          "a comma-separated list of addresses and networks like 10.0.0.0/8",
          AddressBlock::parseList,
          AddressBlock::list);

  static final Kind<AllowedSources> COPY_SOURCES =
      new Kind<>(
          "HOSTS",
          "a comma-separated list of [http://|https://]HOST[:PORT][=NETWORK]",
          AllowedSources::parse,
          AllowedSources::text);

  static final Kind<List<Issuer>> ISSUERS =
      new Kind<>(
          "URLS",
          "a comma-separated list of https URLs, or http on loopback, and for Entra with the id of"
              + " the tenant",
          TokenConfig::parseIssuers,
          TokenConfig::issuersText);

  static final Kind<Map<Issuer, Path>> KEY_FILES =
      new Kind<>(
          "URL=FILE,…",
          "a comma-separated list of ISSUER=FILE with different issuers",
          TokenConfig::parseKeyFiles,
          TokenConfig::keyFilesText);

  static final Kind<List<DevelopmentIdentity>> IDENTITIES =
      new Kind<>(
          "NAME[=ROLE+ROLE],…",
          "a comma-separated list of NAME or NAME=ROLE+ROLE with different names and known roles",
          DevelopmentConfig::parseIdentities,
          DevelopmentConfig::identitiesText);

  static final Kind<List<String>> AUDIENCES =
      new Kind<>(
          "NAMES",
          "a comma-separated list of audiences",
          TokenConfig::parseAudiences,
          audiences -> String.join(",", audiences));

  static final Kind<List<UUID>> TENANTS =
      new Kind<>(
          "IDS",
          "a comma-separated list of UUIDs",
          TokenConfig::parseTenants,
          TokenConfig::tenantsText);

  static final Kind<List<Account>> ACCOUNT_KEYS =
      new Kind<>(
          "NAME:KEY[:KEY];…",
          "accounts with base64 keys, name:key[:key], separated by ;",
          AccountKeys::parse,
          AccountKeys::text);

  static final Kind<Rehearsal> REHEARSAL =
      new Kind<>(
          "all|NAME=N,…",
          "all, or a list like busy=5,seed=2 of busy, timeout-before, timeout-after, cut-pages,"
              + " empty-pages, partition-tokens (percentages up to 90), deleting, latency and seed",
          Rehearsal::parse,
          Rehearsal::text);

  /** The kinds whose values are lists with commas. */
  static final Set<Kind<?>> LISTS =
      Set.of(HOSTS, SERVICES, ADDRESSES, COPY_SOURCES, ISSUERS, KEY_FILES, AUDIENCES, TENANTS);

  /** Returns the kind of an enum, with its constants in lower case. */
  static <E extends Enum<E>> Kind<E> oneOf(Class<E> type) {
    Set<E> all = EnumSet.allOf(type);
    String names = all.stream().map(Kind::name).collect(Collectors.joining("|"));
    return new Kind<>(
        names, "one of " + names.replace("|", ", "), text -> find(all, text), Kind::name);
  }

  private static <E extends Enum<E>> @Nullable E find(Collection<E> all, String text) {
    for (E constant : all) {
      if (name(constant).equals(text.toLowerCase(Locale.ROOT))) {
        return constant;
      }
    }
    return null;
  }

  private static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static Kind<Integer> number(String label, int max, String wanted) {
    return new Kind<>(label, wanted, text -> parseNumber(text, max), String::valueOf);
  }

  private static @Nullable Integer parseNumber(String text, int max) {
    try {
      int number = Integer.parseInt(text);
      return number < 0 || number > max ? null : number;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static @Nullable URI parseUrl(String text) {
    try {
      URI url = new URI(text);
      boolean isHttp = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
      return isHttp && url.getHost() != null ? url : null;
    } catch (URISyntaxException e) {
      return null;
    }
  }

  private static @Nullable Boolean parseSwitch(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true" -> Boolean.TRUE;
      case "false" -> Boolean.FALSE;
      default -> null;
    };
  }

  private static @Nullable String parseText(String text) {
    return text.isEmpty() ? null : text;
  }

  private static @Nullable List<String> parseHosts(String text) {
    List<String> hosts = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      String host = part.strip();
      boolean isV6 = host.matches("\\[[0-9A-Fa-f:.]+\\]");
      if (!isV6 && !host.matches("\\*|[A-Za-z0-9]([A-Za-z0-9._-]*)")) {
        return null;
      }
      hosts.add(host);
    }
    return hosts;
  }

  private static @Nullable Path parsePath(String text) {
    try {
      return text.isEmpty() ? null : Path.of(text);
    } catch (InvalidPathException e) {
      return null;
    }
  }

  private static @Nullable Set<ServiceName> parseServices(String text) {
    Set<ServiceName> services = EnumSet.noneOf(ServiceName.class);
    for (String part : text.split(",", -1)) {
      ServiceName service = find(Arrays.asList(ServiceName.values()), part.strip());
      if (service == null) {
        return null;
      }
      services.add(service);
    }
    return services;
  }
}
