package io.lazuli.cluster;

import io.lazuli.cluster.role.Role;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The command that runs a role: a JDK, its flags, the classes of this module and the jars of HBase.
 *
 * <p>Hadoop uses the security manager, which JDK 24 removed, to find the current user. {@code
 * LAZULI_CLUSTER_JAVA} names the {@code java} to use. If it is not set and this JVM is too new, the
 * command uses an older JDK that is installed next to this one.
 */
final class ClusterJava {
  private static final int FIRST_UNSUITABLE = 24;

  /** The property that names another version of HBase for the processes, as in the build. */
  private static final String VERSION = "hbase.server.version";

  private static final List<String> OPENED =
      List.of(
          "java.lang",
          "java.nio",
          "sun.nio.ch",
          "java.io",
          "java.util",
          "java.util.concurrent",
          "jdk.internal.misc");

  private final String java;
  private final String running;
  private final Path own;
  private final Path jars;

  private ClusterJava(String java, String running, Path own, Path jars) {
    this.java = java;
    this.running = running;
    this.own = own;
    this.jars = jars;
  }

  static ClusterJava find() {
    Path own = ownClasses();
    String version = System.getProperty(VERSION);
    Path jars = own.resolveSibling(version == null ? "hbase" : "hbase-" + version);
    if (!Files.isDirectory(jars)) {
      throw new ClusterException(jars + " is missing; build the module lazuli-cluster", null);
    }
    Path home = Path.of(System.getProperty("java.home"));
    return new ClusterJava(suitable(home), command(home), own, jars);
  }

  private static String command(Path home) {
    return home.resolve("bin").resolve("java").toString();
  }

  private static String suitable(Path home) {
    String named = System.getenv("LAZULI_CLUSTER_JAVA");
    if (named != null) {
      return named;
    }
    if (Runtime.version().feature() < FIRST_UNSUITABLE) {
      return command(home);
    }
    try (Stream<Path> installed = Files.list(home.getParent())) {
      return installed
          .filter(ClusterJava::isSuitable)
          .findFirst()
          .map(ClusterJava::command)
          .orElseThrow(
              () ->
                  new ClusterException(
                      "HBase needs a JDK from 17 to 23; set LAZULI_CLUSTER_JAVA to its java command",
                      null));
    } catch (IOException e) {
      throw new ClusterException("cannot list the JDKs next to " + home, e);
    }
  }

  /** Reads the version from the JDK's release file. */
  private static boolean isSuitable(Path home) {
    try (Stream<String> lines = Files.lines(home.resolve("release"))) {
      return lines.anyMatch(line -> line.matches("JAVA_VERSION=\"(1[7-9]|2[0-3])\\b.*"));
    } catch (IOException | UncheckedIOException e) {
      return false;
    }
  }

  /**
   * Returns the location of this module's classes: a folder or a jar. In both cases the build puts
   * the jars of HBase next to it.
   */
  private static Path ownClasses() {
    try {
      return Path.of(Role.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Returns the command up to and including the role's main class. The caller adds the arguments.
   *
   * @param host the address of the host on which it runs
   */
  List<String> command(ClusterFolder folder, List<Path> config, Part part, String host) {
    List<String> command = new ArrayList<>(List.of(java, "-Xmx" + part.heapMebibytes + "m"));
    command.add("-XX:+UseSerialGC");
    if (quickCompilerOnly() || (part != Part.REGION_SERVER && part != Part.DATA_NODE)) {
      // The speed of these processes is not measured. Without the C2 compiler their start takes 6 s
      // of CPU instead of 10.
      command.add("-XX:TieredStopAtLevel=1");
    }
    command.add("-Djava.net.preferIPv4Stack=true");
    // JDK 23 rejects Hadoop's way of finding the user unless this flag is set. JDK 17 accepts it.
    command.add("-Djava.security.manager=allow");
    OPENED.forEach(name -> command.add("--add-opens=java.base/" + name + "=ALL-UNNAMED"));
    command.add("--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED");
    command.add("-Djava.io.tmpdir=" + folder.root().resolve("tmp"));
    command.addAll(folder.security().serverOptions());
    command.add("-Dlazuli.cluster.address=" + host);
    command.add("-Dlazuli.cluster.host=" + (host.equals(Cluster.LOOPBACK) ? "localhost" : host));
    command.add("-Dzookeeper.admin.enableServer=false");
    command.add("-Dorg.slf4j.simpleLogger.showDateTime=true");
    command.add("-Dorg.slf4j.simpleLogger.dateTimeFormat=HH:mm:ss.SSS");
    if (folder.isRemovedBy(part)) {
      command.add("-Dlazuli.cluster.folder=" + folder.root());
    }
    command.add("-cp");
    command.add(classPath(config));
    command.add(Role.class.getName());
    command.add(part.mainClass);
    return command;
  }

  /**
   * Returns whether no process has the optimizing compiler. Under a quota it would use most of what
   * the process may use, for many minutes.
   */
  private static boolean quickCompilerOnly() {
    return Boolean.getBoolean("lazuli.cluster.quick.compiler");
  }

  /**
   * Returns the command of a Lazuli server, up to the sub-command. It uses the same JDK as this
   * process.
   */
  List<String> lazuliCommand(ClusterFolder folder, LazuliJars lazuli) {
    List<String> command = new ArrayList<>(List.of(running, "-XX:+UseSerialGC"));
    command.add("-Xmx" + Part.LAZULI.heapMebibytes + "m");
    if (quickCompilerOnly()) {
      command.add("-XX:TieredStopAtLevel=1");
    }
    command.add("-Djava.io.tmpdir=" + folder.root().resolve("tmp"));
    command.addAll(folder.security().clientOptions());
    command.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
    command.add("-Dlazuli.engine.hbase=" + lazuli.engineFolder());
    command.add("-cp");
    command.add(joined(List.of(own, lazuli.server())));
    command.add(Role.class.getName());
    command.add(Part.LAZULI.mainClass);
    return command;
  }

  private String classPath(List<Path> config) {
    List<Path> entries = new ArrayList<>(config);
    entries.add(own);
    entries.add(jars.resolve("*"));
    return joined(entries);
  }

  private static String joined(List<Path> entries) {
    return entries.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
  }
}
