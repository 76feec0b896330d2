package io.lazuli.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A real HBase cluster on loopback. Its processes end with this process, even if this process is
 * killed. All its files are in a temporary folder, which is deleted with the cluster. Thread-safe.
 */
public final class Cluster implements AutoCloseable {
  static final String LOOPBACK = "127.0.0.1";

  private static final Duration READY_MAX = Duration.ofMinutes(5);
  private static final long QUESTION_MILLIS = 1_000;
  private static final List<String> DONE = List.of("done");
  private static final long KEYTAB_PAUSE_NANOS = Duration.ofMillis(100).toNanos();
  private static final long ORDERLY_END_NANOS = Duration.ofSeconds(5).toNanos();

  private final ClusterSpec spec;
  private final ClusterJava java;
  private final Optional<Network> network;
  private final ClusterFolder folder;
  private final Optional<Path> clocks;
  private final Thread atExit = new Thread(this::end, "cluster-end");

  /** Held while the probe is queried, because the probe answers one question at a time. */
  private final Object conversation = new Object();

  @GuardedBy("this")
  private final Map<Part, List<ClusterProcess>> processes = new EnumMap<>(Part.class);

  @GuardedBy("this")
  private final List<SmallDisk> disks = new ArrayList<>();

  private Cluster(ClusterSpec spec, ClusterJava java, Optional<Network> network) {
    this.spec = spec;
    this.java = java;
    this.network = network;
    this.folder = ClusterFolder.create(spec, part -> host(name(part, 0)));
    this.clocks = network.map(hosts -> WrongClock.library(folder.clocks()));
  }

  /**
   * Starts all processes at the same time and returns when the cluster can be used.
   *
   * @throws ClusterException if one of the processes ends, or if they take too long
   */
  public static Cluster start(ClusterSpec spec) {
    Cluster cluster = prepare(spec, ClusterJava.find());
    Runtime.getRuntime().addShutdownHook(cluster.atExit);
    try {
      cluster.launchAll();
      cluster.awaitReady(cluster.inOrderOfEnd());
      return cluster;
    } catch (RuntimeException e) {
      Closing.after(e, cluster::close);
      throw e;
    }
  }

  private static Cluster prepare(ClusterSpec spec, ClusterJava java) {
    Optional<Network> network = spec.ownHosts() ? Optional.of(Network.create()) : Optional.empty();
    try {
      return new Cluster(spec, java, network);
    } catch (RuntimeException e) {
      network.ifPresent(hosts -> Closing.after(e, hosts::close));
      throw e;
    }
  }

  private void launchAll() {
    if (spec.security().kerberos()) {
      launch(Part.KDC, folder.security().kdcArguments().toArray(new String[0]));
      awaitKeytabs(all(Part.KDC).get(0));
    }
    if (spec.dataNodes() > 0) {
      format();
      launch(Part.NAME_NODE);
      for (int number = 0; number < spec.dataNodes(); number++) {
        addDataNode(number);
      }
    }
    if (!spec.oneProcess()) {
      launch(Part.ZOOKEEPER);
      for (int number = 0; number < spec.regionServers(); number++) {
        launch(Part.REGION_SERVER, "start");
      }
    }
    launch(Part.MASTER, "start");
  }

  private void awaitKeytabs(ClusterProcess kdc) {
    long end = System.nanoTime() + READY_MAX.toNanos();
    while (!folder.security().hasKeytabs()) {
      if (!kdc.alive() || System.nanoTime() > end) {
        throw failure("there are no keytabs", kdc);
      }
      boolean unused = kdc.waitFor(KEYTAB_PAUSE_NANOS);
    }
  }

  private void addDataNode(int number) {
    if (spec.diskMebibytes() > 0) {
      SmallDisk disk = SmallDisk.mount(folder.dataNode(number), spec.diskMebibytes());
      synchronized (this) {
        disks.add(disk);
      }
    }
    launch(Part.DATA_NODE);
  }

  /** Creates the empty file system that the name node starts with. */
  private void format() {
    ClusterProcess once = run(Part.NAME_NODE, 0, "-format", "-nonInteractive", "-force");
    if (!once.waitFor(READY_MAX.toNanos()) || once.process().exitValue() != 0) {
      once.kill();
      throw failure(once.name() + " failed", once);
    }
  }

  private synchronized ClusterProcess launch(Part part, String... arguments) {
    return added(part, run(part, all(part).size(), arguments));
  }

  private synchronized ClusterProcess added(Part part, ClusterProcess process) {
    processes.computeIfAbsent(part, first -> new ArrayList<>()).add(process);
    return process;
  }

  private static String name(Part part, int number) {
    return part.word + "-" + number;
  }

  /** Returns the address of the host on which a process runs. */
  private String host(String process) {
    return network.map(hosts -> hosts.join(process)).orElse(LOOPBACK);
  }

  private ClusterProcess run(Part part, int number, String... arguments) {
    String name = name(part, number);
    List<Path> config = new ArrayList<>();
    if (part == Part.DATA_NODE) {
      config.add(folder.dataNodeConfig(number));
    }
    if (part == Part.ZOOKEEPER) {
      config.add(folder.zooKeeperConfig());
    }
    config.add(folder.serverConfig());
    config.addAll(spec.jars());
    List<String> command = java.command(folder, config, part, host(name));
    command.addAll(List.of(arguments));
    return process(name, command);
  }

  private ClusterProcess process(String name, List<String> command) {
    if (network.isEmpty()) {
      return new ClusterProcess(name, command, folder, Optional.empty());
    }
    WrongClock clock = WrongClock.of(clocks.orElseThrow(), name);
    List<String> whole = new ArrayList<>(network.get().on(name));
    whole.addAll(clock.command());
    whole.addAll(command);
    return new ClusterProcess(name, whole, folder, Optional.of(clock));
  }

  /** Returns the {@code hbase-site.xml} with which clients find the cluster. */
  public Path clientConfig() {
    return folder.clientConfig();
  }

  /**
   * Returns the region servers in the order of their start; in a cluster of one process, that
   * process.
   */
  public List<ClusterProcess> regionServers() {
    return spec.oneProcess() ? all(Part.MASTER) : all(Part.REGION_SERVER);
  }

  public ClusterProcess master() {
    return all(Part.MASTER).get(0);
  }

  /** Returns the process that also answers questions about the cluster. */
  public ClusterProcess zooKeeper() {
    return all(Part.ZOOKEEPER).get(0);
  }

  /** Returns the key distribution centre of a cluster with Kerberos. */
  public ClusterProcess kdc() {
    return all(Part.KDC).get(0);
  }

  /** Returns the keytab of {@code lazuli} or of {@code stranger}, who has no rights. */
  public Path keytab(String user) {
    return folder.security().keytab(user);
  }

  /** Returns the file with which clients find the key distribution centre. */
  public Path krb5Conf() {
    return folder.security().clientKrb5Conf();
  }

  /** Returns the trust store of a cluster with TLS, or another one for {@code other}. */
  public Path trustStore(String name) {
    return folder.security().trustStore(name);
  }

  public ClusterProcess nameNode() {
    return all(Part.NAME_NODE).get(0);
  }

  /** Returns the network of a cluster whose processes have hosts of their own. */
  public Network network() {
    return network.orElseThrow();
  }

  /** Returns the small disks of the data nodes, if they have any, in the same order. */
  public synchronized List<SmallDisk> disks() {
    return List.copyOf(disks);
  }

  /** Returns the data nodes of HDFS; none without HDFS. */
  public List<ClusterProcess> dataNodes() {
    return all(Part.DATA_NODE);
  }

  /**
   * Starts one more region server, which is part of the cluster once {@link #awaitReady} has
   * returned.
   */
  public ClusterProcess addRegionServer() {
    if (spec.oneProcess()) {
      throw new IllegalStateException("a cluster in one process cannot grow");
    }
    return launch(Part.REGION_SERVER, "start");
  }

  /**
   * Starts a Lazuli server on this cluster. It is ready once {@link LazuliNode#connectionString}
   * has returned.
   *
   * @param engine its engine: {@code hbase}, or one that does not use the cluster
   * @param options further options of {@code lazuli serve}
   */
  public LazuliNode addLazuli(
      LazuliJars jars, String engine, LazuliPorts ports, String... options) {
    List<String> all = new ArrayList<>(List.of("--engine", engine));
    if (engine.equals("hbase")) {
      all.addAll(List.of("--engine-config", clientConfig().toString()));
    }
    all.addAll(List.of(options));
    return addLazuli(jars, ports, Map.of(), all);
  }

  /**
   * Starts a Lazuli server with settings of its own.
   *
   * @param environment variables of its environment
   * @param options all options of {@code lazuli serve} but those of addresses and of its folder
   */
  public synchronized LazuliNode addLazuli(
      LazuliJars jars, LazuliPorts ports, Map<String, String> environment, List<String> options) {
    int number = all(Part.LAZULI).size();
    String name = name(Part.LAZULI, number);
    String host = host(name);
    List<String> command = new ArrayList<>();
    if (!environment.isEmpty()) {
      command.add("env");
      environment.forEach((variable, value) -> command.add(variable + "=" + value));
    }
    command.addAll(java.lazuliCommand(folder, jars));
    command.addAll(List.of("serve", "--data", folder.lazuli(number).toString()));
    if (!host.equals(LOOPBACK)) {
      command.addAll(List.of("--host", host, "--allow-development-account"));
    }
    command.addAll(ports.options());
    command.addAll(options);
    return new LazuliNode(added(Part.LAZULI, process(name, command)), host, ports);
  }

  /**
   * Waits until the region servers of the cluster are exactly those whose processes run, and the
   * master and {@code hbase:meta} respond. Do not call this while a process is paused, because that
   * process may be one that must respond.
   *
   * @throws ClusterException after five minutes
   */
  public void awaitReady() {
    awaitReady(List.of());
  }

  /** Waits until the cluster is ready; fails as soon as one of these processes has ended. */
  private void awaitReady(List<ClusterProcess> needed) {
    long end = System.nanoTime() + READY_MAX.toNanos();
    String answer = readyOrWhyNot();
    while (!answer.equals("yes")) {
      for (ClusterProcess process : needed) {
        if (!process.alive()) {
          throw failure(process.name() + " has ended", process);
        }
      }
      if (System.nanoTime() > end) {
        throw failure("the cluster is not ready: " + answer, master());
      }
      answer = readyOrWhyNot();
    }
  }

  /**
   * Returns {@code yes}, or the reason why the cluster is not ready. Names of servers are compared,
   * not only their number, because a dead server counts until its session ends.
   */
  private String readyOrWhyNot() {
    List<ClusterProcess> running = regionServers().stream().filter(ClusterProcess::alive).toList();
    List<String> names =
        running.stream().flatMap(process -> process.serverName().stream()).toList();
    String answer =
        ask("ready " + QUESTION_MILLIS + " " + running.size() + " " + String.join(" ", names))
            .get(0);
    // The name of a server that has just started is known at the next query.
    return names.size() == running.size() || !answer.equals("yes")
        ? answer
        : "not all servers have names";
  }

  /** Takes a region from its server and gives it to no other one until {@link #assign}. */
  public void unassign(HostedRegion region) {
    tell("unassign " + region.name());
  }

  /** Gives a region that no server has to one of them. */
  public void assign(HostedRegion region) {
    tell("assign " + region.name());
  }

  /**
   * Gives a user of a cluster with Kerberos exactly these rights on a namespace, which is created
   * if it does not exist.
   *
   * @param actions some of the letters R, W, X, C and A
   */
  public void grant(String user, String namespace, String actions) {
    String order = "grant " + user + " " + namespace + " " + actions;
    List<String> answer = ask(order);
    long end = System.nanoTime() + READY_MAX.toNanos();
    // The process that answers does not wait long for the cluster, which may be busy.
    while (!answer.equals(DONE) && System.nanoTime() < end) {
      answer = ask(order);
    }
    require(order, answer);
  }

  private void tell(String order) {
    require(order, ask(order));
  }

  private static void require(String order, List<String> answer) {
    if (!answer.equals(DONE)) {
      throw new ClusterException(order + ": " + answer, null);
    }
  }

  /** Returns the regions of all tables and their servers, in the order of their keys. */
  public List<HostedRegion> regions() {
    return ask("regions").stream().map(HostedRegion::parse).toList();
  }

  /** Sends a question to the probe. The probe runs in the one process that no fault test kills. */
  private List<String> ask(String question) {
    ClusterProcess host = spec.oneProcess() ? master() : all(Part.ZOOKEEPER).get(0);
    synchronized (conversation) {
      Process process = host.process();
      try {
        process.getOutputStream().write((question + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
        return answer(process.inputReader(StandardCharsets.UTF_8));
      } catch (IOException e) {
        throw failure(host.name() + " does not respond: " + e.getMessage(), host);
      }
    }
  }

  private static List<String> answer(BufferedReader reader) throws IOException {
    List<String> lines = new ArrayList<>();
    String line = reader.readLine();
    while (line != null && !line.isEmpty()) {
      lines.add(line);
      line = reader.readLine();
    }
    if (line == null) {
      throw new EOFException("the process has ended");
    }
    return lines;
  }

  private synchronized List<ClusterProcess> all(Part part) {
    return List.copyOf(processes.getOrDefault(part, List.of()));
  }

  private synchronized List<ClusterProcess> inOrderOfEnd() {
    return processes.values().stream().flatMap(List::stream).toList();
  }

  private static ClusterException failure(String what, ClusterProcess process) {
    return new ClusterException(what + "; its log ends with\n" + process.logTail(), null);
  }

  /**
   * Ends all processes and deletes the folder. The processes have five seconds for an orderly end,
   * and are then killed.
   */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      // This JVM is already ending, and the hook calls end() as well.
    }
    end();
  }

  private void end() {
    List<ClusterProcess> all = inOrderOfEnd();
    // A cluster in one process never ends in an orderly way within that time.
    long end = System.nanoTime() + (spec.oneProcess() ? 0 : ORDERLY_END_NANOS);
    all.forEach(ClusterProcess::terminate);
    all.forEach(process -> process.waitFor(Math.max(0, end - System.nanoTime())));
    all.forEach(ClusterProcess::kill);
    Closing closing = new Closing();
    network.ifPresent(hosts -> closing.run(hosts::close));
    disks().forEach(disk -> closing.run(disk::close));
    closing.run(folder::remove);
    closing.end();
  }
}
