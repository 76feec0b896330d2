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
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

  /** The hardware addresses of bridges begin so, and end with the number of the process. */
  private static final String BRIDGES = "02:4c:5a:";

  private static final Pattern OWNER = Pattern.compile("lazuli-(\\d{1,18})-.+");
  private static final Pattern BRIDGE =
      Pattern.compile(
          "^\\d+: (lazuli\\d+): .*link/ether " + BRIDGES + "((?:[0-9a-f]{2}:){2}[0-9a-f]{2}) ");

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
      addBridge(name);
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
        addBridge(network.bridge);
      } catch (ClusterException e) {
        if (attempt == ATTEMPTS_MAX) {
          throw e;
        }
        continue;
      }
      try {
        // This process is a host too.
        ip("addr", "add", network.prefix + "1/24", "dev", network.bridge);
        ip("link", "set", network.bridge, "up");
        return network;
      } catch (ClusterException e) {
        Closing.after(e, network::close);
        throw e;
      }
    }
  }

  /** The hardware address says from the first moment on which process has the bridge. */
  private static void addBridge(String name) {
    ip("link", "add", name, "address", address(ProcessHandle.current().pid()), "type", "bridge");
  }

  /** Returns the hardware address of the bridge of a process. */
  static String address(long pid) {
    return BRIDGES + "%02x:%02x:%02x".formatted(pid >> 16 & 0xff, pid >> 8 & 0xff, pid & 0xff);
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
    Closing closing = new Closing();
    for (Map.Entry<String, String> host : addresses.entrySet()) {
      // A connection that was cut keeps its namespace for minutes, but not the port.
      closing.run(() -> ip("link", "del", port(host.getValue())));
      closing.run(() -> ip("netns", "del", namespace(host.getKey())));
    }
    addresses.clear();
    closing.run(() -> ip("link", "del", bridge));
    closing.end();
  }

  /** Removes the networks of processes that were killed. */
  private static void removeLeftovers() {
    for (String namespace : namespaces()) {
      OptionalLong owner = owner(namespace);
      if (owner.isPresent() && hasEnded(owner.getAsLong()) && hasNoProcess(namespace)) {
        tryIp("netns", "del", namespace);
      }
    }
    Command.output("ip", "-o", "link", "show", "type", "bridge")
        .lines()
        .map(Network::abandoned)
        .flatMap(Optional::stream)
        .forEach(bridge -> tryIp("link", "del", bridge));
  }

  private static List<String> namespaces() {
    if (!Files.isDirectory(NAMESPACES)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(NAMESPACES)) {
      return all.map(path -> path.getFileName().toString()).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the process that has made a namespace; empty if it is not one of ours. */
  static OptionalLong owner(String namespace) {
    Matcher name = OWNER.matcher(namespace);
    return name.matches() ? OptionalLong.of(Long.parseLong(name.group(1))) : OptionalLong.empty();
  }

  private static boolean hasNoProcess(String namespace) {
    try {
      return Command.output("ip", "netns", "pids", namespace).isBlank();
    } catch (ClusterException e) {
      return false;
    }
  }

  /** Returns the name of a bridge in a line of {@code ip link} if its process was killed. */
  private static Optional<String> abandoned(String line) {
    Matcher found = BRIDGE.matcher(line);
    if (!found.find()) {
      return Optional.empty();
    }
    String name = found.group(1);
    long owner = Long.parseLong(found.group(2).replace(":", ""), 16);
    String[] ports = Path.of("/sys/class/net", name, "brif").toFile().list();
    return hasEnded(owner) && ports != null && ports.length == 0
        ? Optional.of(name)
        : Optional.empty();
  }

  private static boolean hasEnded(long pid) {
    return ProcessHandle.of(pid).isEmpty();
  }

  /** Another process may remove the same leftovers at the same time. */
  private static void tryIp(String... arguments) {
    try {
      ip(arguments);
    } catch (ClusterException e) {
      return;
    }
  }

  private static void ip(String... arguments) {
    Command.run(Stream.concat(Stream.of("ip"), Stream.of(arguments)).toArray(String[]::new));
  }
}
