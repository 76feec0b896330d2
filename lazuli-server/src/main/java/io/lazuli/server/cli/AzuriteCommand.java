package io.lazuli.server.cli;

import io.lazuli.server.LazuliServer;
import io.lazuli.server.Version;
import io.lazuli.server.account.Account;
import io.lazuli.server.config.ConfigException;
import io.lazuli.server.config.Configuration;
import io.lazuli.server.config.Launch;
import io.lazuli.server.config.Nearest;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.config.ServerStartException;
import io.lazuli.server.config.ServiceName;
import io.lazuli.server.http.ListenException;
import io.lazuli.storage.EngineOpenException;
import io.lazuli.storage.memory.InMemoryEngineProvider;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code lazuli azurite}: runs in place of Azurite. It understands Azurite's options and variables,
 * and prints its lines, because tools wait for them. The exit codes are those of Azurite: 0 after
 * an orderly stop, 1 if something failed.
 */
@Command(description = "Run in place of Azurite. ${COMMAND-FULL-NAME} --help lists its options.")
final class AzuriteCommand implements Callable<Integer> {
  private final AzuriteLines lines;
  private final Map<String, String> environment;

  @Spec private CommandSpec spec;

  @Parameters(arity = "0..*", paramLabel = "OPTIONS", description = "The options of Azurite.")
  private List<String> args = new ArrayList<>();

  private AzuriteCommand(AzuriteLines lines, Map<String, String> environment) {
    this.lines = lines;
    this.environment = environment;
    this.spec = CommandSpec.create();
  }

  /** Adds the commands of Azurite: {@code azurite}, and one for each service. */
  static void addTo(CommandLine main, Map<String, String> environment) {
    for (AzuriteLines lines : AzuriteLines.values()) {
      CommandLine command = new CommandLine(new AzuriteCommand(lines, environment));
      command.getCommandSpec().usageMessage().hidden(lines != AzuriteLines.ALL);
      main.addSubcommand(lines.command(), command);
      // This class parses the options, not picocli.
      command.setUnmatchedOptionsArePositionalParams(true);
    }
  }

  @Override
  public Integer call() throws InterruptedException {
    AzuriteArguments given = AzuriteArguments.parse(args);
    if (given.unknown() != null) {
      return unknown(given.unknown());
    }
    if (given.has(AzuriteOption.HELP)) {
      return help();
    }
    if (given.has(AzuriteOption.VERSION)) {
      out().println(Version.current());
      return 0;
    }
    AzuriteSettings settings = new AzuriteSettings(lines.services(), given, environment);
    String refusal = settings.refusal();
    return refusal == null ? start(settings) : failed(refusal);
  }

  private int start(AzuriteSettings settings) throws InterruptedException {
    try {
      Launch launch =
          Configuration.read(settings.options(), null, environment, settings.presets()).launch();
      Logging.configure(launch);
      serve(launch, settings);
      return 0;
    } catch (ConfigException | EngineOpenException | ServerStartException e) {
      return failed(String.valueOf(e.getMessage()));
    } catch (ListenException e) {
      return failed(
          e.isInUse()
              ? "listen EADDRINUSE: address already in use " + e.address()
              : String.valueOf(e.getMessage()));
    }
  }

  private void serve(Launch launch, AzuriteSettings settings) throws InterruptedException {
    ServerConfig config = launch.server();
    LazuliServer server = LazuliServer.start(config);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, launch), "stop"));
    announce(server, config);
    warn(server, config, settings);
    new CountDownLatch(1).await();
  }

  private void announce(LazuliServer server, ServerConfig config) {
    PrintWriter out = out();
    String scheme = config.listeners().tls() == null ? "http" : "https";
    if (isInMemory(config)) {
      out.println(AzuriteLines.memoryLimit(storedBytesMax(config)));
    }
    for (ServiceName service : services(config)) {
      String host = config.listeners().of(service).host();
      out.println(
          lines.starting(service, scheme, host + ":" + config.listeners().of(service).port()));
      String bound = AzuriteLines.bound(host) + ":" + server.port(service);
      out.println(lines.listening(service, scheme, bound));
    }
    out.println(
        "Lazuli "
            + Version.current()
            + (isInMemory(config)
                ? ""
                : ", data in " + config.store().folder().toAbsolutePath().normalize())
            + ", health at "
            + server.adminEndpoint()
            + "/health");
    if (!config.rehearsal().isOff()) {
      out.println(ServeCommand.rehearsing(config));
    }
    out.flush();
  }

  private void warn(LazuliServer server, ServerConfig config, AzuriteSettings settings) {
    PrintWriter err = spec.commandLine().getErr();
    if (server.offersPublicKeyBeyondLoopback()) {
      err.println(
          "Warning: devstoreaccount1, whose key is public, can be reached from other machines;"
              + " set AZURITE_ACCOUNTS to use other accounts");
    }
    for (Account account : server.weakAccountsBeyondLoopback()) {
      if (!account.hasPublicKey()) {
        err.println(
            "Warning: other machines can reach the account "
                + account.name()
                + ", which "
                + account.weakness());
      }
    }
    if (environment.containsKey("AZURITE_DB")) {
      err.println("Warning: AZURITE_DB is ignored: all data is in the data folder");
    }
    if (isInMemory(config) && settings.asksForMoreThan(storedBytesMax(config))) {
      err.println(
          "Warning: --extentMemoryLimit is more than half of the heap; LAZULI_JAVA_OPTS=-Xmx…"
              + " sets a larger heap");
    }
    if (!isInMemory(config) && settings.findsDataOfAzurite()) {
      Path folder = settings.location().toAbsolutePath().normalize();
      err.println(
          folder
              + " contains data of Azurite; to import it, stop the server and run"
              + " lazuli import azurite "
              + folder
              + " --data "
              + config.store().folder().toAbsolutePath().normalize());
    }
    err.flush();
  }

  /**
   * Stops the server. Azurite exits with 0 after a signal; a Java process would exit with another
   * code.
   */
  private void stop(LazuliServer server, Launch launch) {
    LastResort.endWithin(launch.stopTimeMax());
    ServerConfig config = launch.server();
    PrintWriter out = out();
    services(config).forEach(service -> out.println(AzuriteLines.closing(service)));
    out.flush();
    server.stop(launch.stopTimeMax());
    LastResort.awaitEndIfLate();
    services(config).forEach(service -> out.println(AzuriteLines.closed(service)));
    out.flush();
    Runtime.getRuntime().halt(0);
  }

  private static List<ServiceName> services(ServerConfig config) {
    return Arrays.stream(ServiceName.values())
        .filter(config.listeners().services()::contains)
        .toList();
  }

  private static boolean isInMemory(ServerConfig config) {
    return config.store().isInMemory();
  }

  private static long storedBytesMax(ServerConfig config) {
    return InMemoryEngineProvider.storedBytesMax(config.store().memoryBytes());
  }

  /** Reports an unknown option. Azurite exits with 0 here, which hides the mistake from scripts. */
  private int unknown(String name) {
    PrintWriter out = out();
    out.print("The option \"" + name + "\" is unknown.");
    String nearest = Nearest.find(name, AzuriteOption.names());
    AzuriteOption meant = nearest == null ? null : AzuriteOption.find(nearest);
    if (meant == null) {
      out.println(" Here's a list of all available options:");
      help();
    } else {
      out.println(" Did you mean the following one?");
      out.println(meant.usage() + "  " + meant.meaning());
    }
    out.flush();
    return 1;
  }

  private int help() {
    PrintWriter out = out();
    out.println("Usage: " + lines.command() + " [options]");
    out.println("Lazuli " + Version.current() + ", in place of Azurite. Options:");
    for (AzuriteOption option : AzuriteOption.values()) {
      out.printf("  %-34s %s%n", option.usage(), option.meaning());
    }
    out.flush();
    return 0;
  }

  private int failed(String message) {
    PrintWriter err = spec.commandLine().getErr();
    err.println("Exit due to unhandled error: " + message);
    err.flush();
    return 1;
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
