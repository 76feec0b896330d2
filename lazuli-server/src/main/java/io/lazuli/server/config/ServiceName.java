package io.lazuli.server.config;

import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The services that a server can have, in the order of their ports. */
public enum ServiceName {
  BLOB("Blob"),
  QUEUE("Queue"),
  TABLE("Table");

  private final String title;

  ServiceName(String title) {
    this.title = title;
  }

  /** Returns the name in connection strings and in the header {@code Server}. */
  public String title() {
    return title;
  }

  /** Returns the name in host names and settings. */
  public String label() {
    return title.toLowerCase(Locale.ROOT);
  }

  /** Returns a comma-separated list, as in settings. */
  public static String list(Set<ServiceName> services) {
    return services.stream().sorted().map(ServiceName::label).collect(Collectors.joining(","));
  }
}
