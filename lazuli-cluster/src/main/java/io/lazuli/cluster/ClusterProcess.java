package io.lazuli.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One process of a cluster or a server on it, which can be killed, paused and started again. It
 * ends with this JVM, also when that is killed. Thread-safe.
 */
public final class ClusterProcess {
  private static final Pattern SERVER_NAME = Pattern.compile("Serving as ([^,\\s]+,\\d+,\\d+)");

  private static final int LOG_TAIL_LINES = 15;

  private final String name;
  private final List<String> command;
  private final Path log;

  @GuardedBy("this")
  private Process process;

  /** Where the log of the running process begins. */
  @GuardedBy("this")
  private long logStart;

  /** Kills a paused process when this JVM ends, as that cannot notice it itself. */
  @GuardedBy("this")
  private @Nullable Process pauseWatch;

  ClusterProcess(String name, List<String> command, Path log) {
    this.name = name;
    this.command = List.copyOf(command);
    this.log = log;
    this.process = start();
  }

  private Process start() {
    try {
      return new ProcessBuilder(command)
          .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
          .start();
    } catch (IOException e) {
      throw new ClusterException(name + " cannot be started", e);
    }
  }

  /** What it is in the cluster, such as {@code regionserver-1}. */
  public String name() {
    return name;
  }

  public synchronized long pid() {
    return process.pid();
  }

  public synchronized boolean alive() {
    return process.isAlive();
  }

  /** What it logs, over all its starts. */
  public Path log() {
    return log;
  }

  /** Host, port and start code of a region server, once it serves. */
  public Optional<String> serverName() {
    return said(SERVER_NAME).map(found -> found.group(1));
  }

  /** The first place in what it logged since it was started last. */
  synchronized Optional<MatchResult> said(Pattern pattern) {
    try {
      byte[] all = Files.readAllBytes(log);
      int start = (int) logStart;
      String text = new String(all, start, all.length - start, StandardCharsets.UTF_8);
      return pattern.matcher(text).results().findFirst();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** SIGKILL; returns when the process is gone. */
  public synchronized void kill() {
    process.destroyForcibly();
    waitFor(Long.MAX_VALUE);
    endPauseWatch();
  }

  /** SIGSTOP: the process does nothing and answers nothing until {@link #resume}. */
  public synchronized void pause() {
    if (pauseWatch == null) {
      long pid = process.pid();
      pauseWatch = shell("cat >/dev/null; kill -KILL " + pid);
      signal("STOP");
    }
  }

  /** SIGCONT. */
  public synchronized void resume() {
    signal("CONT");
    endPauseWatch();
  }

  /** Kills the process if it runs and starts a new one, which is not ready when this returns. */
  public synchronized void restart() {
    kill();
    try {
      logStart = Files.size(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    process = start();
  }

  synchronized Process process() {
    return process;
  }

  /** SIGTERM: a wish. */
  synchronized void terminate() {
    process.destroy();
  }

  synchronized boolean waitFor(long nanos) {
    try {
      return process.waitFor(nanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** The end of what it logged, without the frames of stacks, which hide the reason. */
  String logTail() {
    try (Stream<String> lines = Files.lines(log)) {
      List<String> said = lines.filter(line -> !line.startsWith("\tat ")).toList();
      return String.join(
          "\n", said.subList(Math.max(0, said.size() - LOG_TAIL_LINES), said.size()));
    } catch (IOException e) {
      return "(no log: " + e.getMessage() + ")";
    }
  }

  @GuardedBy("this")
  private void endPauseWatch() {
    if (pauseWatch != null) {
      pauseWatch.destroyForcibly();
      pauseWatch = null;
    }
  }

  @GuardedBy("this")
  private void signal(String signal) {
    Process done = shell("kill -" + signal + " " + process.pid());
    try {
      if (done.waitFor() != 0) {
        throw new ClusterException(name + " cannot be sent a " + signal, null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Process shell(String script) {
    try {
      return new ProcessBuilder("sh", "-c", script).start();
    } catch (IOException e) {
      throw new ClusterException("no shell", e);
    }
  }
}
