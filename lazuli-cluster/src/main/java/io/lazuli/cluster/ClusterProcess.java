package io.lazuli.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A process of a cluster, or a Lazuli server that uses the cluster. It can be killed, paused and
 * restarted. It ends with this JVM, even if the JVM is killed. Thread-safe.
 */
public final class ClusterProcess {
  private static final Pattern SERVER_NAME = Pattern.compile("Serving as ([^,\\s]+,\\d+,\\d+)");

  /**
   * A shell script that waits until this JVM ends, which closes its standard input. It then kills
   * the paused process and deletes the folder of the cluster.
   */
  private static final String WATCH = "cat >/dev/null; kill -KILL \"$1\"; sleep 1; rm -rf \"$2\"";

  private static final int LOG_TAIL_LINES = 15;
  private static final Duration END_MAX = Duration.ofMinutes(3);

  private final String name;
  private final List<String> command;
  private final Path folder;
  private final Path log;
  private final Optional<WrongClock> clock;

  @GuardedBy("this")
  private Process process;

  /** The position in the log at which the output of the running process begins. */
  @GuardedBy("this")
  private long logStart;

  /** Kills a paused process when this JVM ends, because a paused process cannot notice that end. */
  @GuardedBy("this")
  private @Nullable Process pauseWatch;

  ClusterProcess(
      String name, List<String> command, ClusterFolder folder, Optional<WrongClock> clock) {
    this.name = name;
    this.command = List.copyOf(command);
    this.folder = folder.root();
    this.log = folder.log(name);
    this.clock = clock;
    this.process = start();
  }

  private Process start() {
    try {
      return new ProcessBuilder(command)
          .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
          .start();
    } catch (IOException e) {
      throw new ClusterException("cannot start " + name, e);
    }
  }

  /** Returns the name of this process in the cluster, such as {@code regionserver-1}. */
  public String name() {
    return name;
  }

  public synchronized long pid() {
    return process.pid();
  }

  public synchronized boolean alive() {
    return process.isAlive();
  }

  /** Returns the log file, which also contains the output from before any restart. */
  public Path log() {
    return log;
  }

  /**
   * Returns the host, port and start code of a region server; empty until the server has logged
   * that it is serving.
   */
  public Optional<String> serverName() {
    return loggedSinceStart(SERVER_NAME).map(found -> found.group(1));
  }

  /** Returns the first match in the log since the last start. */
  synchronized Optional<MatchResult> loggedSinceStart(Pattern pattern) {
    try {
      byte[] all = Files.readAllBytes(log);
      int start = (int) logStart;
      String text = new String(all, start, all.length - start, StandardCharsets.UTF_8);
      return pattern.matcher(text).results().findFirst();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until the process has ended by itself, and returns its exit code. */
  public int awaitEnd() {
    if (!waitFor(END_MAX.toNanos())) {
      throw new ClusterException(name + " has not ended; its log ends with\n" + logTail(), null);
    }
    return process().exitValue();
  }

  /** Sends SIGKILL; returns when the process has ended. */
  public synchronized void kill() {
    process.destroyForcibly();
    waitFor(Long.MAX_VALUE);
    endPauseWatch();
  }

  /** Sends SIGTERM, and waits until the process has ended. */
  public void stop(Duration max) {
    terminate();
    if (awaitExit(max).isEmpty()) {
      throw new ClusterException(name + " does not end", null);
    }
  }

  /** Waits until the process ends, and returns its exit code; empty if it still runs. */
  public OptionalInt awaitExit(Duration max) {
    Process ending = process();
    try {
      return ending.waitFor(max.toMillis(), TimeUnit.MILLISECONDS)
          ? OptionalInt.of(ending.exitValue())
          : OptionalInt.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return OptionalInt.empty();
    }
  }

  /** Sends SIGSTOP: the process does not run and does not respond until {@link #resume}. */
  public synchronized void pause() {
    if (pauseWatch == null) {
      pauseWatch = shell(WATCH, String.valueOf(process.pid()), folder.toString());
      signal("STOP");
    }
  }

  /** Sends SIGCONT. */
  public synchronized void resume() {
    signal("CONT");
    endPauseWatch();
  }

  /**
   * Kills the process if it runs and starts a new one, which is not ready yet when this returns.
   */
  public synchronized void restart() {
    kill();
    try {
      logStart = Files.size(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    process = start();
  }

  /**
   * Sets the clock of a process with a host of its own ahead of that of the machine, or behind it.
   */
  public void setClock(Duration ahead) {
    clock.orElseThrow().set(ahead);
  }

  synchronized Process process() {
    return process;
  }

  /** Sends SIGTERM, which asks the process to end. */
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

  /**
   * Returns the last lines of the log. Stack frames are left out, because they would push the cause
   * of a failure out of these lines.
   */
  String logTail() {
    try (Stream<String> lines = Files.lines(log)) {
      List<String> logged = lines.filter(line -> !line.startsWith("\tat ")).toList();
      return String.join(
          "\n", logged.subList(Math.max(0, logged.size() - LOG_TAIL_LINES), logged.size()));
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
    Process done = shell("kill -$1 $2", signal, String.valueOf(process.pid()));
    try {
      if (done.waitFor() != 0) {
        throw new ClusterException("cannot send SIG" + signal + " to " + name, null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Process shell(String script, String... arguments) {
    try {
      List<String> shell = new ArrayList<>(List.of("sh", "-c", script, "sh"));
      shell.addAll(List.of(arguments));
      return new ProcessBuilder(shell).start();
    } catch (IOException e) {
      throw new ClusterException("cannot start a shell", e);
    }
  }
}
