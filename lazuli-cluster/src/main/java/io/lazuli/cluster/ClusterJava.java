package io.lazuli.cluster;

import io.lazuli.cluster.role.Role;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The command that runs a role: a JDK, its flags, and the jars of HBase beside this module's
 * classes. Hadoop asks the JDK for what version 24 took away, hence {@code LAZULI_CLUSTER_JAVA}, a
 * Java command to be used instead of the one that runs this.
 */
final class ClusterJava {
  private static final int FIRST_UNSUITABLE = 24;
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
    String named = System.getenv("LAZULI_CLUSTER_JAVA");
    if (named == null && Runtime.version().feature() >= FIRST_UNSUITABLE) {
      throw new ClusterException(
          "HBase needs a JDK from 17 to 23; set LAZULI_CLUSTER_JAVA to the java of one", null);
    }
    Path own = ownClasses();
    Path jars = own.resolveSibling("hbase");
    if (!Files.isDirectory(jars)) {
      throw new ClusterException(jars + " is missing; build the module lazuli-cluster", null);
    }
    String running = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return new ClusterJava(named == null ? running : named, running, own, jars);
  }

  /** A folder of classes or a jar; the build puts the jars of HBase beside either. */
  private static Path ownClasses() {
    try {
      return Path.of(Role.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The command up to the role's main class, to which arguments can be added. */
  List<String> command(ClusterFolder folder, List<Path> config, Part part) {
    List<String> command = new ArrayList<>(List.of(java, "-Xmx" + part.heapMebibytes + "m"));
    command.add("-XX:+UseSerialGC");
    if (part != Part.REGION_SERVER && part != Part.DATA_NODE) {
      // Who is not measured starts sooner without the second compiler: 6 s of processor, not 10.
      command.add("-XX:TieredStopAtLevel=1");
    }
    command.add("-Djava.net.preferIPv4Stack=true");
    OPENED.forEach(name -> command.add("--add-opens=java.base/" + name + "=ALL-UNNAMED"));
    command.add("--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED");
    command.add("-Djava.io.tmpdir=" + folder.root().resolve("tmp"));
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

  /** The command of a Lazuli server, up to the sub-command. Any JDK that runs this runs it. */
  List<String> lazuliCommand(ClusterFolder folder, LazuliJars lazuli) {
    List<String> command = new ArrayList<>(List.of(running, "-XX:+UseSerialGC"));
    command.add("-Xmx" + Part.LAZULI.heapMebibytes + "m");
    command.add("-Djava.io.tmpdir=" + folder.root().resolve("tmp"));
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
