package io.lazuli.server.cli;

import io.lazuli.server.LazuliServer;
import io.lazuli.server.ServerConfig;
import io.lazuli.server.ServerStartException;
import io.lazuli.server.TlsFiles;
import io.lazuli.server.account.Account;
import io.lazuli.server.http.ListenException;
import io.lazuli.storage.Durability;
import io.lazuli.storage.EngineOpenException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
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

  /** More accounts than these are not listed at start. */
  private static final int ANNOUNCED_MAX = 10;

  private final ServerConfig.Builder config = ServerConfig.builder();
  private boolean inMemory;
  private @Nullable LogLevel logLevel;

  @Option(
      names = "--tls-cert",
      order = 13,
      paramLabel = "FILE",
      description = {
        "PEM: the services speak https with this certificate. lazuli dev-cert makes one.",
        "Read again when it changes."
      })
  private @Nullable Path tlsCertificate;

  @Option(
      names = "--tls-key",
      order = 14,
      paramLabel = "FILE",
      description = "PEM: its key, if that is not in the same file.")
  private @Nullable Path tlsKey;

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
      names = "--accounts",
      order = 3,
      paramLabel = "FILE",
      description = "The accounts file. Default: accounts in the data folder; in memory, none")
  void accounts(Path file) {
    config.accountsFile(file);
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
      names = "--blob-port",
      order = 4,
      paramLabel = "PORT",
      description = "0 takes any free port. Default: 10000")
  void blobPort(int port) {
    config.blobPort(checked(port));
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
      names = "--account-rate",
      order = 9,
      paramLabel = "N",
      description = {
        "Requests per second of each account; past them 503 ServerBusy.",
        "Azure: 20000. Default: 0, no bound"
      })
  void accountRate(int requestsPerSecond) {
    config.accountRate(checkedRate(requestsPerSecond));
  }

  @Option(
      names = "--partition-rate",
      order = 10,
      paramLabel = "N",
      description = {
        "Entities per second of each partition, messages of each queue;",
        "past them 503 ServerBusy.",
        "Azure: 2000. Default: 0, no bound"
      })
  void partitionRate(int entitiesPerSecond) {
    config.partitionRate(checkedRate(entitiesPerSecond));
  }

  @Option(
      names = "--strict-paths",
      order = 11,
      description =
          "Refuses name(PartitionKey='x'), as Azure does, instead of reading the partition.")
  void strictPaths(boolean strict) {
    config.lenientPaths(!strict);
  }

  @Option(
      names = "--log-level",
      order = 12,
      paramLabel = "LEVEL",
      description = "error, warn, info (default) or debug, which shows what requests sign.")
  void logLevel(LogLevel level) {
    logLevel = level;
  }

  @Override
  public Integer call() throws InterruptedException {
    configureLogging();
    configureTls();
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
    List<String> accounts = server.accountNames();
    out.println("blob   " + server.blobEndpoint());
    out.println("queue  " + server.queueEndpoint());
    out.println("table  " + server.tableEndpoint());
    out.println("admin  " + server.adminEndpoint());
    if (accounts.contains(Account.DEVELOPMENT_NAME)) {
      out.println(server.connectionString());
    }
    announceAccounts(out, accounts);
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

  /** Their keys are told to who asks for them, and not to whoever sees the server's output. */
  private static void announceAccounts(PrintWriter out, List<String> accounts) {
    List<String> own =
        accounts.stream().filter(name -> !name.equals(Account.DEVELOPMENT_NAME)).toList();
    if (!own.isEmpty()) {
      String names = String.join(", ", own.subList(0, Math.min(ANNOUNCED_MAX, own.size())));
      out.println(
          "accounts  "
              + names
              + (own.size() > ANNOUNCED_MAX ? ", …" : "")
              + "; lazuli account keys NAME prints a connection string");
    }
  }

  /** Must come before the first logger is made. */
  private void configureLogging() {
    if (logLevel != null) {
      System.setProperty("lazuli.log.level", logLevel.name());
    }
  }

  private void configureTls() {
    if (tlsCertificate != null) {
      config.tls(new TlsFiles(tlsCertificate, tlsKey, null));
    } else if (tlsKey != null) {
      throw new ParameterException(spec.commandLine(), "--tls-key needs --tls-cert");
    }
  }

  private int checkedRate(int perSecond) {
    if (perSecond < 0) {
      throw new ParameterException(spec.commandLine(), "a rate is a number from 0 on");
    }
    return perSecond;
  }

  private int checked(int port) {
    if (port < 0 || port > 65_535) {
      throw new ParameterException(spec.commandLine(), "a port is a number from 0 to 65535");
    }
    return port;
  }
}
