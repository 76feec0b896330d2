package io.lazuli.server.cli;

import io.lazuli.server.config.ServiceName;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * The commands of Azurite, each with the lines that it prints about a service (observed: Azurite
 * 3.37.0). The commands for a single service print different lines.
 */
enum AzuriteLines {
  ALL,
  BLOB,
  QUEUE,
  TABLE;

  /** Returns the name of the command. */
  String command() {
    return this == ALL ? "azurite" : "azurite-" + name().toLowerCase(Locale.ROOT);
  }

  Set<ServiceName> services() {
    return this == ALL ? EnumSet.allOf(ServiceName.class) : Set.of(ServiceName.valueOf(name()));
  }

  /**
   * Returns the line for a service that is about to start.
   *
   * @param asked the requested host and port
   */
  String starting(ServiceName service, String scheme, String asked) {
    return this == ALL
        ? begin(service) + " is starting at " + scheme + "://" + asked
        : begin(service) + " is starting on " + asked;
  }

  /**
   * Returns the line for a service that has started.
   *
   * @param bound the address and port on which the service listens
   */
  String listening(ServiceName service, String scheme, String bound) {
    return switch (this) {
      case ALL -> begin(service) + " is successfully listening at " + scheme + "://" + bound;
      case BLOB, QUEUE -> begin(service) + " successfully listens on " + scheme + "://" + bound;
      case TABLE -> begin(service) + " successfully started on " + bound;
    };
  }

  /** Returns Azurite's line about its memory limit. In Lazuli the limit includes tables. */
  static String memoryLimit(long bytes) {
    OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
    long total =
        system instanceof com.sun.management.OperatingSystemMXBean known
            ? known.getTotalMemorySize()
            : Runtime.getRuntime().maxMemory();
    return String.format(
        Locale.ROOT,
        "In-memory extent storage is enabled with a limit of %.2f MB (%d bytes, %d%% of total"
            + " memory).",
        bytes / (double) (1 << 20),
        bytes,
        Math.round(100.0 * bytes / total));
  }

  /**
   * Returns the address that a host name resolves to, which is what Azurite prints. IPv6 addresses
   * keep their short form.
   */
  static String bound(String host) {
    if (host.contains(":")) {
      return host;
    }
    try {
      return InetAddress.getByName(host).getHostAddress();
    } catch (UnknownHostException e) {
      return host;
    }
  }

  static String closing(ServiceName service) {
    return begin(service) + " is closing...";
  }

  static String closed(ServiceName service) {
    return begin(service) + " successfully closed";
  }

  private static String begin(ServiceName service) {
    return "Azurite " + service.title() + " service";
  }
}
