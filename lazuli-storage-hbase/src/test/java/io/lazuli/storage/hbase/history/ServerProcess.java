package io.lazuli.storage.hbase.history;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A server in its own process, which can be killed and paused. Requests that were under way when it
 * died have an unknown outcome, as for a client whose connection broke. It ends with this JVM.
 */
final class ServerProcess implements Server, AutoCloseable {
  private static final Duration START_MAX = Duration.ofMinutes(3);

  private final Process process;
  private final Writer requests;
  private final AtomicLong numbers = new AtomicLong();
  private final Map<Long, CompletableFuture<Answer>> waiting = new ConcurrentHashMap<>();
  private final CompletableFuture<Boolean> ready = new CompletableFuture<>();
  private volatile boolean dead;

  private ServerProcess(Process process) {
    this.process = process;
    this.requests = process.outputWriter(StandardCharsets.UTF_8);
  }

  /** Starts a process and waits until it answers. */
  static ServerProcess start(Path site, Store store) {
    try {
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx256m",
                  "-XX:+UseSerialGC",
                  "--add-opens=java.base/java.nio=ALL-UNNAMED",
                  "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                  "-cp",
                  System.getProperty("java.class.path"),
                  ServerMain.class.getName(),
                  site.toString(),
                  String.valueOf(store.space().number()))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      ServerProcess server = new ServerProcess(process);
      Thread listener = new Thread(server::listen, "answers-of-" + process.pid());
      listener.setDaemon(true);
      listener.start();
      server.ready.orTimeout(START_MAX.toSeconds(), TimeUnit.SECONDS).join();
      return server;
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private void listen() {
    try (BufferedReader answers = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = answers.readLine(); line != null; line = answers.readLine()) {
        take(line);
      }
    } catch (IOException e) {
      // The process ended in the middle of a line, so the answer is unknown.
    } finally {
      end();
    }
  }

  private void take(String line) {
    if (line.equals("ready")) {
      ready.complete(true);
      return;
    }
    int space = line.indexOf(' ');
    CompletableFuture<Answer> asked = waiting.remove(Long.parseLong(line.substring(0, space)));
    if (asked != null) {
      asked.complete(Answer.parse(line.substring(space + 1)));
    }
  }

  private void end() {
    dead = true;
    ready.completeExceptionally(new IllegalStateException("the server has ended"));
    waiting.values().forEach(asked -> asked.complete(Answer.UNKNOWN));
  }

  @Override
  public Answer ask(Request request) {
    return send(request).join();
  }

  @Override
  public boolean isGone() {
    return dead;
  }

  /** Sends a request and returns a future for its answer. */
  CompletableFuture<Answer> send(Request request) {
    if (dead) {
      return CompletableFuture.completedFuture(Answer.FAILED);
    }
    long number = numbers.incrementAndGet();
    CompletableFuture<Answer> asked = new CompletableFuture<>();
    waiting.put(number, asked);
    try {
      synchronized (requests) {
        requests.write(number + " " + request.line() + "\n");
        requests.flush();
      }
    } catch (IOException e) {
      asked.complete(Answer.UNKNOWN);
    }
    if (dead) {
      asked.complete(Answer.UNKNOWN);
    }
    return asked;
  }

  /** SIGKILL. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  /**
   * Sends SIGSTOP and, after a while, SIGCONT. A shell sends both, so that no process stays paused
   * if this one ends.
   */
  void pause(Duration duration) {
    pauseStarting(duration).onExit().join();
  }

  Process pauseStarting(Duration duration) {
    long pid = process.pid();
    String script =
        "kill -STOP " + pid + "; echo; sleep " + duration.toMillis() / 1e3 + "; kill -CONT " + pid;
    try {
      Process shell = new ProcessBuilder("sh", "-c", script).start();
      // The empty line means that the process is paused.
      shell.inputReader(StandardCharsets.UTF_8).readLine();
      return shell;
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    kill();
  }
}
