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

  /** As connection strings and the header {@code Server} write it. */
  public String title() {
    return title;
  }

  /** As host names and settings write it. */
  public String label() {
    return title.toLowerCase(Locale.ROOT);
  }

  /** Some of them as settings write them, with commas between. */
  public static String list(Set<ServiceName> services) {
    return services.stream().sorted().map(ServiceName::label).collect(Collectors.joining(","));
  }
}
