package io.lazuli.server.access;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Says which pages of other origins may call a service (table-rest 10). Names of headers compare
 * without regard to case, and may end in {@code *} for all names with that prefix. Origins compare
 * exactly; {@code *} stands for all of them, and {@code http://*.contoso.com} for all sub-domains
 * of a domain.
 */
public record CorsRule(
    List<String> allowedMethods,
    List<String> allowedOrigins,
    List<String> allowedHeaders,
    List<String> exposedHeaders,
    int maxAgeSeconds) {
  private static final String ANY = "*";

  /**
   * Matches an origin whose host begins with a wildcard. Azure accepts a wildcard only there, as
   * the first label.
   */
  private static final Pattern SUB_DOMAINS = Pattern.compile("(https?://)\\*(\\.[^*/]+)");

  private static final Pattern LABELS = Pattern.compile("[\\w-]+(\\.[\\w-]+)*");

  public CorsRule {
    allowedMethods = List.copyOf(allowedMethods);
    allowedOrigins = List.copyOf(allowedOrigins);
    allowedHeaders = List.copyOf(allowedHeaders);
    exposedHeaders = List.copyOf(exposedHeaders);
  }

  public boolean allowsMethod(String method) {
    return allowedMethods.contains(method);
  }

  public boolean allowsOrigin(String origin) {
    return allowsAnyOrigin()
        || allowedOrigins.contains(origin)
        || allowedOrigins.stream().anyMatch(pattern -> isSubDomain(pattern, origin));
  }

  /**
   * Returns true if an origin has the scheme and port of the pattern, and a host below the
   * pattern's domain.
   */
  private static boolean isSubDomain(String pattern, String origin) {
    Matcher parts = SUB_DOMAINS.matcher(pattern);
    if (!parts.matches()) {
      return false;
    }
    String scheme = parts.group(1);
    String domain = parts.group(2);
    int from = scheme.length();
    int to = origin.length() - domain.length();
    return from < to
        && origin.startsWith(scheme)
        && origin.endsWith(domain)
        && LABELS.matcher(origin).region(from, to).matches();
  }

  /** Returns false if an origin has a wildcard in a place where Azure does not accept one. */
  public boolean hasValidOrigins() {
    return allowedOrigins.stream()
        .allMatch(
            origin ->
                !origin.contains(ANY)
                    || origin.equals(ANY)
                    || SUB_DOMAINS.matcher(origin).matches());
  }

  public boolean allowsAnyOrigin() {
    return allowedOrigins.contains(ANY);
  }

  public boolean allowsHeader(String name) {
    return allowedHeaders.stream().anyMatch(pattern -> matches(pattern, name));
  }

  /**
   * Returns the headers that a page may read: all names that the rule lists, and those present
   * headers that match a prefix of the rule.
   */
  public List<String> exposed(List<String> present) {
    return exposedHeaders.stream()
        .flatMap(
            pattern ->
                isPrefix(pattern)
                    ? present.stream().filter(name -> matches(pattern, name))
                    : Stream.of(pattern))
        .distinct()
        .toList();
  }

  public static boolean isPrefix(String pattern) {
    return pattern.endsWith(ANY);
  }

  private static boolean matches(String pattern, String name) {
    if (!isPrefix(pattern)) {
      return pattern.equalsIgnoreCase(name);
    }
    String prefix = pattern.substring(0, pattern.length() - 1).toLowerCase(Locale.ROOT);
    return name.toLowerCase(Locale.ROOT).startsWith(prefix);
  }
}
