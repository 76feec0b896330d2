package io.lazuli.cluster.demo;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * The options of the demonstration.
 *
 * @param servers the number of Lazuli servers
 * @param firstPort the first port of the first server; each further server begins ten ports higher.
 *     0 for free ports
 * @param engine the engine of the servers
 * @param filter whether the region servers have the filter for queries
 */
record DemoOptions(
    boolean help,
    int regionServers,
    boolean hdfs,
    int servers,
    int firstPort,
    String engine,
    boolean filter) {
  static final String USAGE =
      """
      Usage: lazuli cluster-demo [OPTIONS]
      Starts a cluster on this machine with Lazuli servers on it, until Ctrl-C.
        --region-servers=N   Default: 3
        --hdfs               Store data in HDFS: a name node and three data nodes.
        --servers=N          Lazuli servers. Default: 3
        --first-port=PORT    Each server uses four ports; the next server begins ten ports higher.
                             Default: free ports
        --engine=NAME        Engine of the servers. Default: hbase
        --filter             Region servers evaluate the conditions of queries.
        --help
      Memory: 2 GiB, with HDFS 3 GiB. This is a demonstration: the data is deleted at the end.""";

  private static final int SERVERS_MAX = 16;
  private static final int PORT_MAX = 65_000;

  /**
   * Parses the arguments.
   *
   * @throws IllegalArgumentException with a one-line message, if an argument is invalid
   */
  static DemoOptions parse(String... arguments) {
    DemoOptions options = new DemoOptions(false, 3, false, 3, 0, "hbase", false);
    Deque<String> left = new ArrayDeque<>(Arrays.asList(arguments));
    while (!left.isEmpty()) {
      String word = left.pop();
      int end = word.indexOf('=');
      String name = end < 0 ? word : word.substring(0, end);
      if (List.of("--help", "--hdfs", "--filter").contains(name)) {
        options = options.with(name, "");
      } else {
        options = options.with(name, end < 0 ? next(name, left) : word.substring(end + 1));
      }
    }
    return options;
  }

  private static String next(String name, Deque<String> left) {
    if (left.isEmpty()) {
      throw new IllegalArgumentException(name + " is unknown, or has no value");
    }
    return left.pop();
  }

  private DemoOptions with(String name, String value) {
    return switch (name) {
      case "--help" ->
          new DemoOptions(true, regionServers, hdfs, servers, firstPort, engine, filter);
      case "--hdfs" ->
          new DemoOptions(help, regionServers, true, servers, firstPort, engine, filter);
      case "--filter" ->
          new DemoOptions(help, regionServers, hdfs, servers, firstPort, engine, true);
      case "--region-servers" ->
          new DemoOptions(
              help, number(name, value, SERVERS_MAX), hdfs, servers, firstPort, engine, filter);
      case "--servers" ->
          new DemoOptions(
              help,
              regionServers,
              hdfs,
              number(name, value, SERVERS_MAX),
              firstPort,
              engine,
              filter);
      case "--first-port" ->
          new DemoOptions(
              help, regionServers, hdfs, servers, number(name, value, PORT_MAX), engine, filter);
      case "--engine" ->
          new DemoOptions(help, regionServers, hdfs, servers, firstPort, value, filter);
      default -> throw new IllegalArgumentException(name + " is unknown");
    };
  }

  private static int number(String name, String value, int max) {
    try {
      int number = Integer.parseInt(value);
      if (number >= 1 && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below, like a number that is out of range.
    }
    throw new IllegalArgumentException(name + " is not a number from 1 to " + max);
  }
}
