package io.lazuli.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The files that lazuli-dist has made, and processes without the environment of the build. */
final class Dist {
  /** The key of devstoreaccount1, which is public. */
  static final String DEVELOPMENT_KEY =
      "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

  static final String VERSION = System.getProperty("dist.version");
  static final Path FOLDER = Path.of(System.getProperty("dist.folder")).normalize();
  static final Path SOURCE = Path.of(System.getProperty("dist.source")).normalize();
  static final String PLAIN = "lazuli-" + VERSION;
  static final String WITH_JAVA = PLAIN + "-linux-x64";
  static final String CHART = PLAIN + "-helm.tgz";

  /** Made only where apt has Debian's packages for arm64. */
  static final String ARM64 = PLAIN + "-linux-arm64";

  /** In Debian's order of versions, a tilde makes a snapshot older than its release. */
  static final String DEB = "lazuli_" + VERSION.replaceFirst("-", "~") + "_amd64.deb";

  /** All commands that the start script calls. */
  private static final List<String> TOOLS = List.of("sh", "dirname", "readlink", "sed", "head");

  private Dist() {}

  /** Returns the names of all files for people to download. Those for arm64 may be left out. */
  static List<String> files() {
    Stream<String> always =
        Stream.of(
            PLAIN + ".tar.gz",
            PLAIN + ".zip",
            WITH_JAVA + ".tar.gz",
            DEB,
            CHART,
            PLAIN + "-npm.tgz",
            PLAIN + "-npm-linux-x64.tgz");
    Stream<String> arm64 = Stream.of(ARM64 + ".tar.gz", PLAIN + "-npm-linux-arm64.tgz");
    return Files.exists(archive(ARM64)) ? Stream.concat(always, arm64).toList() : always.toList();
  }

  /** Returns what clients need for a server on this machine with the usual ports. */
  static String connectionString(String scheme, String account, String key) {
    StringBuilder text = new StringBuilder("DefaultEndpointsProtocol=" + scheme);
    text.append(";AccountName=" + account + ";AccountKey=" + key);
    int port = 10000;
    for (String service : List.of("Blob", "Queue", "Table")) {
      text.append(";%sEndpoint=%s://127.0.0.1:%d/%s".formatted(service, scheme, port++, account));
    }
    return text.toString();
  }

  static Path archive(String name) {
    return FOLDER.resolve(name + ".tar.gz");
  }

  /** Unpacks an archive into an empty folder, and returns the folder that it contains. */
  static Path unpack(String name, Path parent) throws Exception {
    Path folder = Files.createDirectories(parent.resolve("unpacked"));
    run(
        Map.of("PATH", "/usr/bin:/bin"),
        "tar",
        "xzf",
        archive(name).toString(),
        "-C",
        folder.toString());
    return folder.resolve(name);
  }

  /** Makes a folder with nothing but the commands that the start script calls, for PATH. */
  static Path tools(Path parent) throws IOException {
    Path folder = Files.createDirectories(parent.resolve("bin"));
    for (String tool : TOOLS) {
      Path usual = Path.of("/usr/bin", tool);
      // Copies, because the cleanup of temporary folders warns about links to other folders.
      Files.copy(
          Files.exists(usual) ? usual : Path.of("/bin", tool),
          folder.resolve(tool),
          StandardCopyOption.COPY_ATTRIBUTES);
    }
    return folder;
  }

  /** Returns a process with exactly these variables. */
  static ProcessBuilder process(Map<String, String> environment, String... command) {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().clear();
    builder.environment().putAll(environment);
    return builder;
  }

  /** Runs a command to its end, and returns what it printed. Fails unless it exits with 0. */
  static String run(Map<String, String> environment, String... command) throws Exception {
    return run(process(environment, command));
  }

  static String run(ProcessBuilder builder) throws Exception {
    Process process = builder.redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue())
        .as("%s: %s", String.join(" ", builder.command()), said)
        .isZero();
    return said;
  }
}
