package io.lazuli.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A process in a root file system, with mounts and a network of its own. Its files are an overlay,
 * so the root stays as it is. Closing kills the process.
 */
final class Container implements AutoCloseable {
  private static final Map<String, String> TOOLS = Map.of("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");

  /**
   * Arguments: image, changes, work, root, data, folder, how to become the user, "confined" or "",
   * then the command.
   */
  private static final String ENGINE =
      """
      set -e
      root=$4 folder=$6 become=$7 confined=$8
      ip link set lo up
      mount -t overlay overlay -o "lowerdir=$1,upperdir=$2,workdir=$3" "$root"
      mount --rbind /dev "$root/dev"
      mount -t proc proc "$root/proc"
      mkdir -p "$root/data"
      mount --bind "$5" "$root/data"
      echo '127.0.0.1 localhost' >"$root/etc/hosts"
      if [ -n "$confined" ]; then
        mount -t tmpfs tmpfs "$root/tmp"
        mount -o remount,ro "$root"
      fi
      shift 8
      exec chroot "$root" $become /usr/bin/env -i --chdir="$folder" "$@"
      """;

  private final List<String> environment;
  private final List<String> become;
  private final Process process;
  private final BufferedReader output;
  private final List<String> lines = new ArrayList<>();

  /** The process whose mounts, network and, in a booted container, processes commands share. */
  private ProcessHandle target;

  private Container(List<String> environment, List<String> become, Process process) {
    this.environment = environment;
    this.become = become;
    this.process = process;
    this.target = process.toHandle();
    this.output = process.inputReader(StandardCharsets.UTF_8);
  }

  /** Returns why containers cannot be made and run here with these tools; empty if they can. */
  static String obstacle(String... tools) throws Exception {
    List<String> all = new ArrayList<>(List.of(tools));
    all.addAll(List.of("unshare", "nsenter", "ip"));
    for (String tool : all) {
      if (Dist.process(TOOLS, "sh", "-c", "command -v " + tool).start().waitFor() != 0) {
        return "there is no " + tool;
      }
    }
    String mount = "mount -t tmpfs none /mnt && ip link set lo up";
    int code =
        Dist.process(TOOLS, "unshare", "--mount", "--net", "sh", "-c", mount).start().waitFor();
    return code == 0 ? "" : "this user cannot make mounts and networks of its own";
  }

  /**
   * How a launcher starts the image.
   *
   * @param user user:group, or "" for that of the image
   * @param confined whether the root is read-only, except for /tmp and /data, and the process has
   *     neither capabilities nor ways to get privileges
   * @param shared whether the container uses the network of this machine
   */
  record Launch(
      List<String> entrypoint,
      List<String> command,
      List<String> environment,
      String user,
      boolean confined,
      boolean shared) {
    /** Returns a launch as the image says. */
    static Launch unchanged() {
      return running();
    }

    /** Returns a launch with a command in place of that of the image. */
    static Launch running(String... words) {
      return new Launch(List.of(), List.of(words), List.of(), "", false, false);
    }

    /** Returns a launch with an entrypoint and its arguments. */
    static Launch through(String name, String... words) {
      return new Launch(List.of(name), List.of(words), List.of(), "", false, false);
    }

    Launch with(String... variables) {
      return new Launch(entrypoint, command, List.of(variables), user, confined, shared);
    }

    Launch as(String other) {
      return new Launch(entrypoint, command, environment, other, confined, shared);
    }

    /** As with {@code --read-only --tmpfs /tmp --cap-drop ALL} and without new privileges. */
    Launch inConfinement() {
      return new Launch(entrypoint, command, environment, user, true, shared);
    }

    /** As with {@code --network host}. */
    Launch onThisNetwork() {
      return new Launch(entrypoint, command, environment, user, confined, true);
    }

    /** Returns the words that change the user and take its privileges; none to stay root. */
    private List<String> become() {
      List<String> words = new ArrayList<>();
      if (confined || !user.isEmpty()) {
        words.add("setpriv");
      }
      if (!user.isEmpty()) {
        String[] ids = user.split(":", -1);
        words.addAll(List.of("--clear-groups", "--reuid", ids[0], "--regid", ids[1]));
      }
      if (confined) {
        words.addAll(List.of("--no-new-privs", "--bounding-set", "-all"));
      }
      return words;
    }
  }

  /**
   * Starts a container of an image as container engines do: with the folder, the variables and,
   * unless others are given, the command of the image.
   */
  static Container start(Image image, Path folder, Path data, Launch launch) throws IOException {
    List<String> environment = new ArrayList<>(image.list("Env"));
    environment.addAll(launch.environment());
    List<String> words =
        new ArrayList<>(
            launch.entrypoint().isEmpty() ? image.list("Entrypoint") : launch.entrypoint());
    boolean own = launch.entrypoint().isEmpty() && launch.command().isEmpty();
    words.addAll(own ? image.list("Cmd") : launch.command());
    return start(image.root(), folder, data, image.workingFolder(), launch, environment, words);
  }

  /** Makes a root with Debian's essential packages and some others. */
  static Path makeDebian(Path root, List<String> packages) throws Exception {
    Dist.run(
        TOOLS,
        "mmdebstrap",
        "--quiet",
        "--variant=essential",
        "--include=" + String.join(",", packages),
        "bookworm",
        root.toString());
    return root;
  }

  /** Starts a container that does nothing by itself. */
  static Container idle(Path root, Path folder, Path data) throws IOException {
    List<String> environment = List.of("PATH=" + TOOLS.get("PATH"));
    List<String> words = List.of("sh", "-c", "echo idle; exec sleep infinity");
    Container container = start(root, folder, data, "/", Launch.unchanged(), environment, words);
    container.await("idle");
    return container;
  }

  private static Container start(
      Path root,
      Path folder,
      Path data,
      String workingFolder,
      Launch launch,
      List<String> environment,
      List<String> words)
      throws IOException {
    List<String> command = new ArrayList<>(List.of("unshare", "--mount"));
    if (!launch.shared()) {
      command.add("--net");
    }
    command.addAll(List.of("sh", "-c", ENGINE, "engine", root.toString()));
    for (String name : List.of("changes", "work", "merged")) {
      command.add(Files.createDirectories(folder.resolve(name)).toString());
    }
    command.addAll(List.of(data.toString(), workingFolder));
    command.add(String.join(" ", launch.become()));
    command.add(launch.confined() ? "confined" : "");
    command.addAll(environment);
    command.addAll(words);
    Process process =
        Dist.process(TOOLS, command.toArray(String[]::new)).redirectErrorStream(true).start();
    return new Container(environment, launch.become(), process);
  }

  /** Boots the systemd of a root, and waits until it has started its services. */
  static Container boot(Path root, Path data) throws IOException {
    Process process =
        Dist.process(
                TOOLS,
                "systemd-nspawn",
                "--boot",
                "--register=no",
                "--keep-unit",
                "--private-network",
                "--volatile=overlay",
                "--bind-ro=" + data + ":/data",
                "--directory=" + root)
            .redirectErrorStream(true)
            .start();
    Container container = new Container(List.of("PATH=" + TOOLS.get("PATH")), List.of(), process);
    container.await("Multi-User System");
    container.target = process.children().findFirst().orElseThrow();
    return container;
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
    Process command = command(words).redirectErrorStream(true).start();
    command.getOutputStream().close();
    command.getInputStream().transferTo(OutputStream.nullOutputStream());
    return command.waitFor();
  }

  /**
   * Runs a command in the container to its end, and returns what it printed. Fails unless it exits
   * with 0.
   */
  String run(String... words) throws Exception {
    return Dist.run(command(words));
  }

  /** Returns a command in the container, with its user and variables, which is not started. */
  ProcessBuilder command(String... words) {
    List<String> command = new ArrayList<>(List.of("nsenter", "--target=" + target.pid()));
    command.addAll(List.of("--mount", "--net", "--root", "--wd"));
    if (target.pid() != process.pid()) {
      command.add("--pid");
    }
    command.addAll(List.of("/usr/bin/env", "-i"));
    command.addAll(environment);
    command.addAll(become);
    command.addAll(List.of(words));
    return Dist.process(TOOLS, command.toArray(String[]::new));
  }

  /** Writes and reads as a client in the container's network does. */
  void roundTrip(String connectionString, String... services) throws Exception {
    client("write and read", connectionString, services);
  }

  void write(String connectionString, String... services) throws Exception {
    client("write", connectionString, services);
  }

  void read(String connectionString, String... services) throws Exception {
    client("read", connectionString, services);
  }

  private void client(String action, String connectionString, String... services) throws Exception {
    List<String> command = new ArrayList<>(List.of("nsenter", "--target=" + target.pid(), "--net"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of("-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(RoundTrip.class.getName(), action, connectionString));
    command.addAll(List.of(services));
    Dist.run(TOOLS, command.toArray(String[]::new));
  }

  /** Returns the user of the server's process. */
  long user() throws IOException {
    return Files.readAllLines(Path.of("/proc", "" + target.pid(), "status")).stream()
        .filter(line -> line.startsWith("Uid:"))
        .map(line -> Long.parseLong(line.split("\\t", -1)[1]))
        .findFirst()
        .orElseThrow();
  }

  /** Asks the server to stop, as container engines do. */
  void terminate() {
    // Not of the process object, which would close the stream too.
    process.toHandle().destroy();
  }

  /** Stops the server with SIGTERM, and returns the rest of its log. */
  List<String> stop() {
    terminate();
    return end(0);
  }

  /** Waits until the server has ended with this exit code, and returns the rest of its log. */
  List<String> end(int code) {
    List<String> rest = output.lines().toList();
    assertThat(process.onExit().join().exitValue()).as("%s", rest).isEqualTo(code);
    return rest;
  }

  @Override
  public void close() {
    target.destroyForcibly();
    process.onExit().join();
  }
}
