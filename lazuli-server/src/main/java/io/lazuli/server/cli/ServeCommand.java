package io.lazuli.server.cli;

import io.lazuli.server.LazuliServer;
import io.lazuli.server.ServerConfig;
import io.lazuli.server.ServerStartException;
import io.lazuli.server.http.ListenException;
import io.lazuli.storage.Durability;
import io.lazuli.storage.EngineOpenException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code lazuli serve}: runs the server in the foreground until it is told to stop. */
@Command(
    name = "serve",
    description = "Run the server until SIGTERM or Ctrl-C.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.class,
    sortOptions = false)
final class ServeCommand implements Callable<Integer> {
  /** How much is logged. */
  enum LogLevel {
    ERROR,
    WARN,
    INFO,
    DEBUG
  }

  private final ServerConfig.Builder config = ServerConfig.builder();
  private boolean inMemory;
  private @Nullable LogLevel logLevel;

  @Spec private CommandSpec spec;

  ServeCommand() {
    spec = CommandSpec.create();
  }

  @Option(
      names = "--data",
      order = 1,
      paramLabel = "DIR",
      description = "Where the data is kept. Default: ./lazuli-data")
  void data(Path folder) {
    config.dataFolder(folder);
  }

  @Option(names = "--in-memory", description = "Keep the data in memory: it ends with the process.")
  void inMemory(boolean given) {
    inMemory = given;
    config.engine("memory");
  }

  @Option(
      names = "--durability",
      order = 2,
      paramLabel = "disk|relaxed",
      description = {
        "disk: a write is acknowledged once it is on disk (default).",
        "relaxed: faster; a power cut may lose the last writes."
      })
  void durability(Durability durability) {
    config.durability(durability);
  }

  @Option(
      names = "--host",
      order = 3,
      paramLabel = "HOST",
      description = "Where the services listen. Default: 127.0.0.1")
  void host(String host) {
    config.host(host);
  }

  @Option(
      names = "--queue-port",
      order = 4,
      paramLabel = "PORT",
      description = "0 takes any free port. Default: 10001")
  void queuePort(int port) {
    config.queuePort(checked(port));
  }

  @Option(
      names = "--table-port",
      order = 5,
      paramLabel = "PORT",
      description = "0 takes any free port. Default: 10002")
  void tablePort(int port) {
    config.tablePort(checked(port));
  }

  @Option(
      names = "--admin-host",
      order = 6,
      paramLabel = "HOST",
      description = "Where /health and /ready listen. Default: 127.0.0.1")
  void adminHost(String host) {
    config.adminHost(host);
  }

  @Option(
      names = "--admin-port",
      order = 7,
      paramLabel = "PORT",
      description = "0 takes any free port. Default: 10010")
  void adminPort(int port) {
    config.adminPort(checked(port));
  }

  @Option(
      names = "--allow-development-account",
      order = 8,
      description = "Offer devstoreaccount1, whose key is public, also beyond loopback.")
  void allowDevelopmentAccount(boolean allowed) {
    config.allowDevelopmentAccount(allowed);
  }

  @Option(
      names = "--log-level",
      order = 9,
      paramLabel = "LEVEL",
      description = "error, warn, info (default) or debug, which shows what requests sign.")
  void logLevel(LogLevel level) {
    logLevel = level;
  }

  @Override
  public Integer call() throws InterruptedException {
    configureLogging();
    PrintWriter err = spec.commandLine().getErr();
    try {
      run(LazuliServer.start(config.build()));
      return 0;
    } catch (ListenException | EngineOpenException | ServerStartException e) {
      err.println("lazuli: " + e.getMessage());
      return 1;
    }
  }

  private void run(LazuliServer server) throws InterruptedException {
    CountDownLatch stopped = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  server.close();
                  stopped.countDown();
                },
                "stop"));
    announce(server, config.build());
    stopped.await();
  }

  private void announce(LazuliServer server, ServerConfig running) {
    PrintWriter out = spec.commandLine().getOut();
    out.println("queue  " + server.queueEndpoint());
    out.println("table  " + server.tableEndpoint());
    out.println("admin  " + server.adminEndpoint());
    out.println(server.connectionString());
    if (inMemory) {
      out.println("ready; the data is in memory and ends with this process");
    } else if (running.durability() == Durability.RELAXED) {
      out.println(
          "ready; data in "
              + running.dataFolder().toAbsolutePath().normalize()
              + "; durability is relaxed: a power cut may lose the last writes");
    } else {
      out.println("ready; data in " + running.dataFolder().toAbsolutePath().normalize());
    }
    out.flush();
  }

  /** Must come before the first logger is made; who sets the property has the last word. */
  private void configureLogging() {
    if (System.getProperty("logback.configurationFile") == null) {
      System.setProperty("logback.configurationFile", "io/lazuli/server/cli/logback.xml");
    }
    if (logLevel != null) {
      System.setProperty("lazuli.log.level", logLevel.name());
    }
  }

  private int checked(int port) {
    if (port < 0 || port > 65_535) {
      throw new ParameterException(spec.commandLine(), "a port is a number from 0 to 65535");
    }
    return port;
  }
}
