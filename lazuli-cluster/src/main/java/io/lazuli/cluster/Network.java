package io.lazuli.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/**
 * A network of hosts on this machine: each process of the cluster has a network namespace with an
 * address of its own, and all of them are ports of one bridge. A cut makes one host lose everything
 * that it sends to another one: nothing is refused and no connection is closed, as with a broken
 * switch. Needs root and the command {@code ip}. Thread-safe.
 */
public final class Network implements AutoCloseable {
  private static final Path NAMESPACES = Path.of("/run/netns");
  private static final String NAMESPACE = "lazuli-%d-%s";
  private static final int SUBNETS = 250;
  private static final int ATTEMPTS_MAX = 20;

  /** No port of the bridge has this hardware address, so what is sent to it arrives nowhere. */
  private static final String NOWHERE = "02:00:00:00:00:fe";

  private final String bridge;
  private final String prefix;

  /** The addresses of the hosts, by the names of their processes. */
  @GuardedBy("this")
  private final Map<String, String> addresses = new HashMap<>();

  private Network(String bridge, String prefix) {
    this.bridge = bridge;
    this.prefix = prefix;
  }

  /** Returns why this machine cannot have such a network; empty if it can. */
  public static String obstacle() {
    String name = "lazuli" + ProcessHandle.current().pid();
    try {
      ip("link", "add", name, "type", "bridge");
      ip("link", "del", name);
      return "";
    } catch (ClusterException e) {
      return "network namespaces need root and the command ip: " + e.getMessage();
    }
  }

  /** Creates an empty network in a private subnet that no other network of this kind uses. */
  static Network create() {
    removeLeftovers();
    for (int attempt = 1; ; attempt++) {
      int subnet = ThreadLocalRandom.current().nextInt(SUBNETS);
      Network network = new Network("lazuli" + subnet, "10.211." + subnet + ".");
      try {
        ip("link", "add", network.bridge, "type", "bridge");
      } catch (ClusterException e) {
        if (attempt == ATTEMPTS_MAX) {
          throw e;
        }
        continue;
      }
      // This process is a host too.
      ip("addr", "add", network.prefix + "1/24", "dev", network.bridge);
      ip("link", "set", network.bridge, "up");
      return network;
    }
  }

  /** Adds a host and returns its address. */
  synchronized String join(String process) {
    String known = addresses.get(process);
    if (known != null) {
      return known;
    }
    int number = addresses.size() + 2;
    String address = prefix + number;
    String namespace = namespace(process);
    String port = port(address);
    ip("netns", "add", namespace);
    ip("link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", namespace);
    ip("link", "set", port, "master", bridge, "up");
    ip("-n", namespace, "addr", "add", address + "/24", "dev", "eth0");
    ip("-n", namespace, "link", "set", "eth0", "up");
    ip("-n", namespace, "link", "set", "lo", "up");
    addresses.put(process, address);
    return address;
  }

  /** Returns the beginning of a command that runs on the host of a process. */
  List<String> on(String process) {
    return List.of("ip", "netns", "exec", namespace(process));
  }

  /** Loses everything that these processes send to each other. */
  public void cut(ClusterProcess one, ClusterProcess other) {
    cutOneWay(one, other);
    cutOneWay(other, one);
  }

  /** Loses everything that the first process sends to the second one. */
  public void cutOneWay(ClusterProcess from, ClusterProcess to) {
    String namespace = namespace(from.name());
    ip("-n", namespace, "neigh", "replace", address(to), "lladdr", NOWHERE, "dev", "eth0");
  }

  /** Ends all cuts between these processes. */
  public void heal(ClusterProcess one, ClusterProcess other) {
    healOneWay(one, other);
    healOneWay(other, one);
  }

  private void healOneWay(ClusterProcess from, ClusterProcess to) {
    try {
      ip("-n", namespace(from.name()), "neigh", "del", address(to), "dev", "eth0");
    } catch (ClusterException e) {
      // The host has not sent anything to the other one yet.
    }
  }

  private synchronized String address(ClusterProcess process) {
    return Objects.requireNonNull(addresses.get(process.name()));
  }

  /** Returns the name of the port of the bridge that belongs to an address. */
  private String port(String address) {
    return bridge + "-" + address.substring(prefix.length());
  }

  private static String namespace(String process) {
    return NAMESPACE.formatted(ProcessHandle.current().pid(), process);
  }

  /** Removes all hosts, whose processes must have ended. */
  @Override
  public synchronized void close() {
    // A connection that was cut keeps its namespace for minutes, but not the port.
    addresses.values().forEach(address -> ip("link", "del", port(address)));
    addresses.keySet().forEach(process -> ip("netns", "del", namespace(process)));
    addresses.clear();
    ip("link", "del", bridge);
  }

  /** Removes the networks of processes that were killed. */
  private static void removeLeftovers() {
    if (!Files.isDirectory(NAMESPACES)) {
      return;
    }
    try (Stream<Path> all = Files.list(NAMESPACES)) {
      for (Path path : all.toList()) {
        String[] words = path.getFileName().toString().split("-", 3);
        if (words.length == 3
            && words[0].equals("lazuli")
            && ProcessHandle.of(Long.parseLong(words[1])).isEmpty()) {
          ip("netns", "del", path.getFileName().toString());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void ip(String... arguments) {
    Command.run(Stream.concat(Stream.of("ip"), Stream.of(arguments)).toArray(String[]::new));
  }
}
