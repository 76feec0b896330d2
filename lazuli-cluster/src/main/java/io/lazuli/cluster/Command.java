package io.lazuli.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Runs commands of the system. */
final class Command {
  private Command() {}

  /**
   * Waits for the end of a command.
   *
   * @throws ClusterException if it cannot run or fails, with what it said
   */
  static void run(String... command) {
    String unused = output(command);
  }

  /**
   * Waits for the end of a command and returns what it said.
   *
   * @throws ClusterException if it cannot run or fails, with what it said
   */
  static String output(String... command) {
    String line = String.join(" ", command);
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new ClusterException(line + ": " + said.strip(), null);
      }
      return said;
    } catch (IOException e) {
      throw new ClusterException(line + " failed", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterException("interrupted", e);
    }
  }
}
