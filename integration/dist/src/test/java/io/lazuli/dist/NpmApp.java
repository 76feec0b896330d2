package io.lazuli.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The folder of a Node.js program that has the npm packages of this build. Its commands have an
 * empty home, no registry and, unless a test adds one, no Java.
 *
 * @param environment all variables of its commands
 */
record NpmApp(Path folder, Map<String, String> environment) {
  private static final List<String> TOOLS = List.of("node", "npm", "npx");

  /** What a command printed, on both streams, and its exit code. */
  record Outcome(String said, int code) {}

  /** Returns why nothing can be installed here; empty if something can. */
  static String obstacle() throws Exception {
    for (String tool : TOOLS) {
      if (find(tool) == null) {
        return tool + " is missing";
      }
    }
    Process node =
        new ProcessBuilder("node", "-p", "parseInt(process.versions.node) >= 18").start();
    return node.inputReader().readLine().equals("true") ? "" : "node is older than 18";
  }

  /** Makes a folder, and lets npm install files of this build there. */
  static NpmApp install(Path parent, String... archives) throws Exception {
    Path tools = Dist.tools(parent);
    for (String tool : TOOLS) {
      program(tools, tool, "exec " + find(tool) + " \"$@\"");
    }
    Map<String, String> environment =
        Map.of(
            "PATH",
            tools.toString(),
            "HOME",
            Files.createDirectories(parent.resolve("home")).toString(),
            "npm_config_offline",
            "true",
            "npm_config_update_notifier",
            "false");
    NpmApp app = new NpmApp(Files.createDirectories(parent.resolve("app")), environment);
    Files.writeString(
        app.folder.resolve("package.json"),
        "{\"private\": true, \"scripts\": {\"azurite\": \"azurite -s -l ./scripted\"}}");
    List<String> command = new ArrayList<>(List.of("npm", "install", "--no-audit"));
    Arrays.stream(archives).map(NpmApp::archive).map(Path::toString).forEach(command::add);
    Outcome outcome = app.run(command.toArray(String[]::new));
    assertThat(outcome.code()).as(outcome.said()).isZero();
    return app;
  }

  static Path archive(String name) {
    return Dist.FOLDER.resolve(name + ".tgz");
  }

  private static Path find(String tool) {
    return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
        .map(folder -> Path.of(folder, tool))
        .filter(Files::isExecutable)
        .findFirst()
        .orElse(null);
  }

  /** Writes a shell script. */
  static Path program(Path folder, String name, String text) throws IOException {
    Path file = Files.createDirectories(folder).resolve(name);
    Files.writeString(file, "#!/bin/sh\n" + text + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
    return file;
  }

  /** Returns the same folder with another variable for its commands. */
  NpmApp with(String name, String value) {
    Map<String, String> more = new HashMap<>(environment);
    more.put(name, value);
    return new NpmApp(folder, more);
  }

  /** Returns the same folder with a folder of programs before all others. */
  NpmApp withPath(Path programs) {
    return with("PATH", programs + File.pathSeparator + environment.get("PATH"));
  }

  /** Returns the path of a file that npm installed, or of a command. */
  Path installed(String path) {
    return folder.resolve("node_modules").resolve(path);
  }

  ProcessBuilder process(String... command) {
    return Dist.process(environment, command).directory(folder.toFile()).redirectErrorStream(true);
  }

  Outcome run(String... command) throws Exception {
    Process process = process(command).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return new Outcome(said, process.exitValue());
  }
}
