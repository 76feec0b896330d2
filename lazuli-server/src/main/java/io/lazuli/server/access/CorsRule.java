package io.lazuli.server.access;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Which pages of other origins may call a service (table-rest 10). Names of headers compare without
 * regard to case and may end in {@code *} for all that begin so; origins are exact, or {@code *}.
 */
public record CorsRule(
    List<String> allowedMethods,
    List<String> allowedOrigins,
    List<String> allowedHeaders,
    List<String> exposedHeaders,
    int maxAgeSeconds) {
  private static final String ANY = "*";

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
    return allowsAnyOrigin() || allowedOrigins.contains(origin);
  }

  public boolean allowsAnyOrigin() {
    return allowedOrigins.contains(ANY);
  }

  public boolean allowsHeader(String name) {
    return allowedHeaders.stream().anyMatch(pattern -> matches(pattern, name));
  }

  /** The headers that a page may read: those named, and of the given ones those with a prefix. */
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
