package io.lazuli.storage.rocksdb;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A Java process that a test starts on its own class path, and whose output it reads. */
final class ChildJvm {
  private final Process process;
  private final BufferedReader reader;

  private ChildJvm(Process process) {
    this.process = process;
    this.reader = process.inputReader(StandardCharsets.UTF_8);
  }

  static ChildJvm start(List<String> options, Class<?> program, String... arguments) {
    return start(Map.of(), options, program, arguments);
  }

  static ChildJvm start(
      Map<String, String> environment,
      List<String> options,
      Class<?> program,
      String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // Children live for a second or less: they start quickly and compile little.
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"));
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment);
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    try {
      return new ChildJvm(builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Process process() {
    return process;
  }

  /** Returns everything that the process prints until it ends. */
  List<String> output() {
    return reader.lines().toList();
  }

  /** Returns the next line; null at the end. */
  String readLine() throws IOException {
    return reader.readLine();
  }

  /**
   * Ends the process as {@code kill -9} does, and waits until it has ended. Its output can still be
   * read.
   */
  void kill() throws InterruptedException {
    // Process.destroyForcibly would close the pipe with acknowledgements still in it.
    process.toHandle().destroyForcibly();
    process.waitFor();
  }
}
