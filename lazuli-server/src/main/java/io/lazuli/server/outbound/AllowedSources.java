package io.lazuli.server.outbound;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The servers that copies may read from. */
public record AllowedSources(List<AllowedSource> entries) {
  public static final AllowedSources NONE = new AllowedSources(List.of());

  public AllowedSources {
    entries = List.copyOf(entries);
  }

  /** Parses a comma-separated list; returns null if an entry is invalid. */
  public static @Nullable AllowedSources parse(String text) {
    List<AllowedSource> entries = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      AllowedSource entry = AllowedSource.parse(part.strip());
      if (entry == null) {
        return null;
      }
      entries.add(entry);
    }
    return new AllowedSources(entries);
  }

  public String text() {
    return entries.stream().map(AllowedSource::text).collect(Collectors.joining(","));
  }

  public boolean isEmpty() {
    return entries.isEmpty();
  }

  /** Returns whether the scheme, host and port are listed. Looks nothing up. */
  public boolean contains(SourceUrl url) {
    return entries.stream().anyMatch(entry -> entry.matches(url));
  }

  /** Returns whether an address of the host may be called. */
  boolean permits(SourceUrl url, InetAddress address) {
    return entries.stream().anyMatch(entry -> entry.matches(url) && entry.permits(address));
  }
}
