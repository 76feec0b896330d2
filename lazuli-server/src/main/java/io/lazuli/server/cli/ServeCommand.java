package io.lazuli.server.cli;

import io.lazuli.server.LazuliServer;
import io.lazuli.server.account.Account;
import io.lazuli.server.config.Launch;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.config.ServerStartException;
import io.lazuli.server.config.ServiceName;
import io.lazuli.server.config.StoreConfig;
import io.lazuli.server.development.DevelopmentAccess;
import io.lazuli.server.http.ListenException;
import io.lazuli.storage.Durability;
import io.lazuli.storage.EngineOpenException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code lazuli serve}: runs the server in the foreground until it is stopped. */
@Command(
    name = "serve",
    description = {
      "Run the server until SIGTERM or Ctrl-C.",
      "Each option can also be set by a variable, LAZULI_TABLE_PORT for --table-port, or in the"
          + " configuration file, table-port = 10002. Options override variables, and variables"
          + " override the file."
    },
    mixinStandardHelpOptions = true,
    versionProvider = Main.class,
    sortOptions = false)
final class ServeCommand implements Callable<Integer> {
  /** The maximum number of accounts that are listed at start. */
  private static final int ANNOUNCED_MAX = 10;

  private final Map<String, String> environment;

  @Spec private CommandSpec spec;

  ServeCommand(Map<String, String> environment) {
    this.environment = environment;
    spec = CommandSpec.create();
  }

  @Override
  public Integer call() throws InterruptedException {
    Launch launch = SettingOptions.read(spec, environment).launch();
    Logging.configure(launch);
    PrintWriter err = spec.commandLine().getErr();
    try {
      LazuliServer server = LazuliServer.start(launch.server());
      CountDownLatch stopped = new CountDownLatch(1);
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    LastResort.endWithin(launch.stopTimeMax());
                    notifySystemd("STOPPING=1");
                    server.stop(launch.stopTimeMax());
                    LastResort.awaitEndIfLate();
                    stopped.countDown();
                  },
                  "stop"));
      announce(server, launch.server());
      notifySystemd("READY=1");
      stopped.await();
      return 0;
    } catch (ListenException | EngineOpenException | ServerStartException e) {
      err.println("lazuli: " + e.getMessage());
      return 1;
    }
  }

  /**
   * Reports a state to systemd if the unit has Type=notify. Java 17 has no datagram sockets of the
   * family AF_UNIX, so a command of systemd sends the state. The server does not wait for it.
   */
  private void notifySystemd(String state) {
    if (environment.getOrDefault("NOTIFY_SOCKET", "").isEmpty()) {
      return;
    }
    try {
      Process unused = new ProcessBuilder("systemd-notify", state).inheritIO().start();
    } catch (IOException e) {
      PrintWriter err = spec.commandLine().getErr();
      err.println("lazuli: systemd was not notified of " + state + ": " + e.getMessage());
      err.flush();
    }
  }

  private void announce(LazuliServer server, ServerConfig running) {
    PrintWriter out = spec.commandLine().getOut();
    List<String> accounts = server.accountNames();
    for (ServiceName service : ServiceName.values()) {
      if (running.listeners().services().contains(service)) {
        out.printf("%-6s %s%n", service.label(), server.endpoint(service));
      }
    }
    out.println("admin  " + server.adminEndpoint());
    if (accounts.contains(Account.DEVELOPMENT_NAME)) {
      out.println(server.connectionString());
    }
    announceAccounts(out, accounts);
    if (!running.rehearsal().isOff()) {
      out.println(rehearsing(running));
    }
    DevelopmentAccess identity = server.developmentIdentity();
    if (identity != null) {
      out.println("development identity, for programs with these variables:");
      identity.variables().forEach((name, value) -> out.println("  " + name + "=" + value));
    }
    out.println("ready; " + whereTheDataIs(running.store()));
    out.println("console, for a minute: " + server.signInLink());
    out.flush();
  }

  /**
   * Returns a line that says that requests fail on purpose, so that nobody searches for another
   * cause.
   */
  static String rehearsing(ServerConfig running) {
    return "rehearsing, requests fail on purpose: " + running.rehearsal().text();
  }

  private static String whereTheDataIs(StoreConfig store) {
    if (store.isInMemory()) {
      return "the data is in memory and is lost when this process ends";
    }
    Path settings = store.engineConfig();
    Path place = settings == null ? store.folder() : settings;
    return (settings == null ? "data in " : "data in the cluster of ")
        + place.toAbsolutePath().normalize()
        + durabilityNote(store.durability());
  }

  private static String durabilityNote(Durability durability) {
    return switch (durability) {
      case DISK -> "";
      case RELAXED -> "; durability is relaxed: a power cut may lose the last writes";
      case REPLICATED ->
          "; durability is replicated: a power cut on all machines may lose the last" + " writes";
    };
  }

  /** Prints the accounts without their keys, because others may see the server's output. */
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
}
