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

/**
 * A real HBase cluster on loopback. Its processes end with this process, even if this process is
 * killed. All its files are in a temporary folder, which is deleted with the cluster. Thread-safe.
 */
public final class Cluster implements AutoCloseable {
  private static final Duration READY_MAX = Duration.ofMinutes(5);
  private static final long QUESTION_MILLIS = 1_000;
  private static final long ORDERLY_END_NANOS = Duration.ofSeconds(5).toNanos();

  private final ClusterSpec spec;
  private final ClusterJava java;
  private final ClusterFolder folder;
  private final Thread atExit = new Thread(this::end, "cluster-end");

  /** Held while the probe is queried, because the probe answers one question at a time. */
  private final Object conversation = new Object();

  @GuardedBy("this")
  private final Map<Part, List<ClusterProcess>> processes = new EnumMap<>(Part.class);

  private Cluster(ClusterSpec spec, ClusterJava java) {
    this.spec = spec;
    this.java = java;
    this.folder = ClusterFolder.create(spec);
  }

  /**
   * Starts all processes at the same time and returns when the cluster can be used.
   *
   * @throws ClusterException if one of the processes ends, or if they take too long
   */
  public static Cluster start(ClusterSpec spec) {
    Cluster cluster = new Cluster(spec, ClusterJava.find());
    Runtime.getRuntime().addShutdownHook(cluster.atExit);
    try {
      cluster.launchAll();
      cluster.awaitReady(cluster.inOrderOfEnd());
      return cluster;
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private void launchAll() {
    if (spec.dataNodes() > 0) {
      format();
      launch(Part.NAME_NODE);
      for (int number = 0; number < spec.dataNodes(); number++) {
        launch(Part.DATA_NODE);
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

  /** Creates the empty file system that the name node starts with. */
  private void format() {
    ClusterProcess once = run("format", Part.NAME_NODE, 0, "-format", "-nonInteractive", "-force");
    if (!once.waitFor(READY_MAX.toNanos()) || once.process().exitValue() != 0) {
      once.kill();
      throw failure(once.name() + " failed", once);
    }
  }

  private synchronized ClusterProcess launch(Part part, String... arguments) {
    int number = all(part).size();
    return added(part, run(part.word + "-" + number, part, number, arguments));
  }

  private synchronized ClusterProcess added(Part part, ClusterProcess process) {
    processes.computeIfAbsent(part, first -> new ArrayList<>()).add(process);
    return process;
  }

  private ClusterProcess run(String name, Part part, int number, String... arguments) {
    List<Path> config = new ArrayList<>();
    if (part == Part.DATA_NODE) {
      config.add(folder.dataNodeConfig(number));
    }
    config.add(folder.serverConfig());
    config.addAll(spec.jars());
    List<String> command = java.command(folder, config, part);
    command.addAll(List.of(arguments));
    return new ClusterProcess(name, command, folder);
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
  public synchronized LazuliNode addLazuli(
      LazuliJars jars, String engine, LazuliPorts ports, String... options) {
    int number = all(Part.LAZULI).size();
    String name = Part.LAZULI.word + "-" + number;
    List<String> command = java.lazuliCommand(folder, jars);
    command.addAll(
        List.of("serve", "--engine", engine, "--data", folder.lazuli(number).toString()));
    if (engine.equals("hbase")) {
      command.addAll(List.of("--engine-config", clientConfig().toString()));
    }
    command.addAll(ports.options());
    command.addAll(List.of(options));
    ClusterProcess process = new ClusterProcess(name, command, folder);
    return new LazuliNode(added(Part.LAZULI, process), ports);
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
    folder.remove();
  }
}
