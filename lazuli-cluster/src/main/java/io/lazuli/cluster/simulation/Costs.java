package io.lazuli.cluster.simulation;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Properties;

/**
 * What operations cost, as {@code ScaleIT} measures it. All times are in nanoseconds.
 *
 * @param ofKind the costs of each operation
 * @param log how long a sync of the log takes, apart from the processors
 * @param dataNode the processor time of each of three data nodes for a sync
 * @param network from a client to a server or back, with the wake-up of threads
 * @param client the processor time of a client for each request
 * @param idleRegionServer the share of a core that a region server uses without requests
 * @param idleLazuli the share of a core that a Lazuli server uses without requests
 */
record Costs(
    Map<Kind, OfKind> ofKind,
    long log,
    long dataNode,
    long network,
    long client,
    double idleRegionServer,
    double idleLazuli) {
  /** The number of entities in the page of a measured query. */
  static final int PAGE_ROWS = 20;

  /** The number of entities of a measured transaction. */
  static final int BATCH_ROWS = 10;

  /**
   * The processor time of one operation, and of each remote call that operations share.
   *
   * @param region of the region server, for an operation
   * @param regionCall of the region server, for a call
   * @param lazuli of the Lazuli server, for an operation
   * @param lazuliCall of the Lazuli server, for a call
   */
  record OfKind(long region, long regionCall, long lazuli, long lazuliCall) {}

  /** Returns the costs that were measured last. */
  static Costs measured() {
    try (InputStream in = Costs.class.getResourceAsStream("costs.properties")) {
      Properties properties = new Properties();
      properties.load(in);
      return of(properties);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads costs in microseconds. */
  static Costs of(Properties properties) {
    Map<Kind, OfKind> ofKind = new EnumMap<>(Kind.class);
    for (Kind kind : Kind.values()) {
      String name = kind.name().toLowerCase(java.util.Locale.ROOT);
      ofKind.put(
          kind,
          new OfKind(
              nanos(properties, name + ".region"),
              nanos(properties, name + ".region.call"),
              nanos(properties, name + ".lazuli"),
              nanos(properties, name + ".lazuli.call")));
    }
    return new Costs(
        ofKind,
        nanos(properties, "log"),
        nanos(properties, "data.node"),
        nanos(properties, "network"),
        nanos(properties, "client"),
        number(properties, "idle.region"),
        number(properties, "idle.lazuli"));
  }

  private static long nanos(Properties properties, String name) {
    return Math.round(number(properties, name) * 1_000);
  }

  private static double number(Properties properties, String name) {
    String value = properties.getProperty(name);
    if (value == null) {
      throw new IllegalArgumentException("no cost " + name);
    }
    return Double.parseDouble(value);
  }

  OfKind of(Kind kind) {
    OfKind found = ofKind.get(kind);
    if (found == null) {
      throw new IllegalArgumentException("no cost of " + kind);
    }
    return found;
  }

  /** Returns the processor time of a region server for a read that nothing is shared with. */
  long lookUp() {
    return of(Kind.GET).region + of(Kind.GET).regionCall;
  }

  /** Returns the same costs with another network. */
  Costs withNetwork(long nanos) {
    return new Costs(ofKind, log, dataNode, nanos, client, idleRegionServer, idleLazuli);
  }
}
