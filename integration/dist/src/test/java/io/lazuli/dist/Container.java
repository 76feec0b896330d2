package io.lazuli.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A process in the root of an image, with mounts and a network of its own, started as container
 * engines start it: with the folder, the variables and, unless others are given, the command of the
 * image. Its files are an overlay, so the image stays as it is. Closing kills the process.
 */
final class Container implements AutoCloseable {
  private static final Map<String, String> TOOLS = Map.of("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");

  /** Arguments: image, changes, work, root, data, folder, "" or user:group, then the command. */
  private static final String ENGINE =
      """
      set -e
      ip link set lo up
      mount -t overlay overlay -o "lowerdir=$1,upperdir=$2,workdir=$3" "$4"
      mount --rbind /dev "$4/dev"
      mount -t proc proc "$4/proc"
      mount --bind "$5" "$4/data"
      echo '127.0.0.1 localhost' >"$4/etc/hosts"
      root=$4 folder=$6 user=$7
      shift 7
      exec chroot ${user:+--userspec=$user} "$root" /usr/bin/env -i --chdir="$folder" "$@"
      """;

  private final Image image;
  private final Process process;
  private final BufferedReader output;
  private final List<String> lines = new ArrayList<>();

  private Container(Image image, Process process) {
    this.image = image;
    this.process = process;
    this.output = process.inputReader(StandardCharsets.UTF_8);
  }

  /** How a launcher starts the image. */
  record Launch(
      List<String> entrypoint, List<String> command, List<String> environment, String user) {
    /** Returns a launch as the image says. */
    static Launch unchanged() {
      return running();
    }

    /** Returns a launch with a command in place of that of the image. */
    static Launch running(String... words) {
      return new Launch(List.of(), List.of(words), List.of(), "");
    }

    /** Returns a launch with an entrypoint and its arguments. */
    static Launch through(String name, String... words) {
      return new Launch(List.of(name), List.of(words), List.of(), "");
    }

    Launch with(String... variables) {
      return new Launch(entrypoint, command, List.of(variables), user);
    }

    Launch as(String other) {
      return new Launch(entrypoint, command, environment, other);
    }
  }

  static Container start(Image image, Path folder, Path data, Launch launch) throws IOException {
    List<String> command =
        new ArrayList<>(List.of("unshare", "--mount", "--net", "sh", "-c", ENGINE, "engine"));
    command.add(image.root().toString());
    for (String name : List.of("changes", "work", "merged")) {
      command.add(Files.createDirectories(folder.resolve(name)).toString());
    }
    command.addAll(List.of(data.toString(), image.workingFolder(), launch.user()));
    command.addAll(image.list("Env"));
    command.addAll(launch.environment());
    command.addAll(launch.entrypoint().isEmpty() ? image.list("Entrypoint") : launch.entrypoint());
    boolean own = launch.entrypoint().isEmpty() && launch.command().isEmpty();
    command.addAll(own ? image.list("Cmd") : launch.command());
    Process process =
        Dist.process(TOOLS, command.toArray(String[]::new)).redirectErrorStream(true).start();
    return new Container(image, process);
  }

  /** Waits for a line of the log that contains a text. */
  void await(String text) throws IOException {
    while (lines.stream().noneMatch(line -> line.contains(text))) {
      String line = output.readLine();
      assertThat(line).as("%s", lines).isNotNull();
      lines.add(line);
    }
  }

  /** Runs a command in the container, as health checks do, and returns its exit code. */
  int exec(String... words) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of("nsenter", "--target=" + process.pid(), "--mount", "--net", "--root", "--wd"));
    command.addAll(List.of("/usr/bin/env", "-i"));
    command.addAll(image.list("Env"));
    command.addAll(List.of(words));
    return Dist.process(TOOLS, command.toArray(String[]::new)).inheritIO().start().waitFor();
  }

  /** Writes and reads as a client in the container's network does. */
  void roundTrip(String connectionString, String... services) throws Exception {
    List<String> command =
        new ArrayList<>(List.of("nsenter", "--target=" + process.pid(), "--net"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(RoundTrip.class.getName(), connectionString));
    command.addAll(List.of(services));
    Dist.run(TOOLS, command.toArray(String[]::new));
  }

  /** Returns the user of the server's process. */
  long user() throws IOException {
    return Files.readAllLines(Path.of("/proc", "" + process.pid(), "status")).stream()
        .filter(line -> line.startsWith("Uid:"))
        .map(line -> Long.parseLong(line.split("\\t", -1)[1]))
        .findFirst()
        .orElseThrow();
  }

  /** Stops the server with SIGTERM, and returns the rest of its log. */
  List<String> stop() {
    // Not of the process object, which would close the stream too.
    process.toHandle().destroy();
    List<String> rest = output.lines().toList();
    assertThat(process.onExit().join().exitValue()).isZero();
    return rest;
  }

  @Override
  public void close() {
    process.toHandle().destroyForcibly();
    process.onExit().join();
  }
}
