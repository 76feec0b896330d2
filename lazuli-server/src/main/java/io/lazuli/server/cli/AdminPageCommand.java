package io.lazuli.server.cli;

import io.lazuli.server.AdminAddress;
import io.lazuli.server.admin.AdminClient;
import io.lazuli.server.admin.AdminToken;
import io.lazuli.server.admin.RefusedCommandException;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.tls.PinnedCertificate;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code lazuli partitions} and {@code lazuli health}: print a page of a server's admin port. The
 * exit code is 0 if the page has status 200.
 */
@Command(mixinStandardHelpOptions = true, versionProvider = Main.class)
final class AdminPageCommand implements Callable<Integer> {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Option(
      names = "--admin",
      paramLabel = "URL",
      description =
          "The admin endpoint of a running server. Default: that of the server of the data folder,"
              + " or the configured one")
  private @Nullable String given;

  @Mixin private ServerOptions server = new ServerOptions();

  private final String path;
  private final Map<String, String> environment;

  @Spec private CommandSpec spec;

  private AdminPageCommand(String path, Map<String, String> environment) {
    this.path = path;
    this.environment = environment;
    spec = CommandSpec.create();
  }

  /** Adds both commands. */
  static void addTo(CommandLine main, Map<String, String> environment) {
    CommandLine partitions = new CommandLine(new AdminPageCommand("/partitions", environment));
    partitions
        .getCommandSpec()
        .usageMessage()
        .description(
            "Show which node has which partitions, their load, and what the balancer did.");
    partitions.addSubcommand(new Split(environment));
    main.addSubcommand("partitions", partitions);
    CommandLine health = new CommandLine(new AdminPageCommand("/health", environment));
    health
        .getCommandSpec()
        .usageMessage()
        .description(
            "Show the health of a server.",
            "The exit code is 0 if it accepts writes, 1 if it does not or if no server answers.");
    main.addSubcommand("health", health);
  }

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    String admin = "";
    for (Port port : ports()) {
      try {
        return print(port);
      } catch (IOException e) {
        // The data folder may have the address of a killed server.
        admin = port.url();
      }
    }
    err.println("lazuli: no server answers at " + admin);
    return 1;
  }

  /**
   * An admin port.
   *
   * @param token the secret and the certificate that the server of the data folder wrote down, and
   *     that nobody else gets; null if Java must trust the certificate
   */
  private record Port(String url, AdminToken.@Nullable Written token) {}

  /** Returns the ports to ask, until one answers. */
  private List<Port> ports() {
    if (given != null) {
      return List.of(new Port(given, null));
    }
    ServerConfig config = server.read(environment);
    AdminToken.Written token = written(config);
    String url = AdminAddress.url(config.listeners(), config.listeners().admin().port());
    Port configured = new Port(url, null);
    return token == null
        ? List.of(configured)
        : List.of(new Port(token.admin(), token), configured);
  }

  private static AdminToken.@Nullable Written written(ServerConfig config) {
    try {
      return AdminToken.read(config.store().folder());
    } catch (IOException e) {
      return null;
    }
  }

  private int print(Port port) throws IOException, InterruptedException {
    HttpClient.Builder client = HttpClient.newBuilder().connectTimeout(PATIENCE);
    AdminToken.Written token = port.token();
    if (token != null && !token.certificate().isEmpty()) {
      client.sslContext(PinnedCertificate.trusting(token.certificate()));
    }
    HttpResponse<String> answer =
        client.build().send(request(port), HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      spec.commandLine()
          .getErr()
          .println(
              "lazuli: " + port.url() + " answered " + answer.statusCode() + " " + answer.body());
      return 1;
    }
    PrintWriter out = spec.commandLine().getOut();
    out.print(answer.body().endsWith("\n") ? answer.body() : answer.body() + "\n");
    out.flush();
    return 0;
  }

  private HttpRequest request(Port port) {
    try {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(port.url().replaceAll("/+$", "") + path))
              .timeout(PATIENCE)
              .header("Accept", "text/plain");
      AdminToken.Written token = port.token();
      if (token != null) {
        request.header("Authorization", token.authorization());
      }
      return request.build();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), port.url() + " is not a URL");
    }
  }

  /** {@code lazuli partitions split}: divides a table into ranges before its load comes. */
  @Command(
      name = "split",
      description = {
        "Divide a table into ranges on several nodes of a cluster, before its load comes.",
        "Ranges that exist stay. The command can be repeated, also after a failure. The balancer does"
            + " not merge the ranges for a day.",
        "The exit code is 1 if the server refuses the command, does not run, or if ranges wait."
      },
      mixinStandardHelpOptions = true,
      versionProvider = Main.class,
      sortOptions = false)
  static final class Split implements Callable<Integer> {
    private static final Duration PAUSE = Duration.ofSeconds(1);

    /** How long the command waits for the next range: HBase may have to compact first. */
    private static final Duration UNCHANGED_MAX = Duration.ofMinutes(3);

    @Option(
        names = "--account",
        required = true,
        paramLabel = "NAME",
        description = "The account of the table.")
    private String account = "";

    @Option(names = "--table", required = true, paramLabel = "NAME", description = "The table.")
    private String table = "";

    /** Where the ranges begin. */
    static final class Where {
      @Option(
          names = "--at",
          arity = "1..*",
          paramLabel = "KEY",
          description = "The PartitionKeys with which the second and each later range begins.")
      private List<String> keys = List.of();

      @Option(
          names = "--count",
          paramLabel = "N",
          description =
              "The number of ranges, with about as many of the table's present partitions in each.")
      private int count;

      Where() {}
    }

    @ArgGroup(multiplicity = "1")
    private Where where = new Where();

    @Mixin private ServerOptions server = new ServerOptions();

    private final Map<String, String> environment;

    @Spec private CommandSpec spec;

    Split(Map<String, String> environment) {
      this.environment = environment;
      spec = CommandSpec.create();
    }

    @Override
    public Integer call() throws InterruptedException {
      AdminClient client = AdminClient.of(server.read(environment).store().folder());
      Map<String, String> arguments = new LinkedHashMap<>();
      arguments.put("account", account);
      arguments.put("table", table);
      if (where.keys.isEmpty()) {
        arguments.put("count", String.valueOf(where.count));
        arguments.putAll(client.call("partition-points", arguments));
        arguments.remove("count");
      }
      for (int i = 0; i < where.keys.size(); i++) {
        arguments.put("at" + i, where.keys.get(i));
      }
      Map<String, String> state = split(client, arguments);
      int ranges = number(state, "boundaries") + 1;
      PrintWriter out = spec.commandLine().getOut();
      if (number(state, "waiting") > 0) {
        throw new RefusedCommandException(
            "%d of the splits and moves wait, %s; repeat the command later"
                .formatted(
                    number(state, "waiting"),
                    state.getOrDefault("problem", "").isEmpty()
                        ? "because ranges are just being moved"
                        : "because HBase says: " + state.get("problem")));
      }
      out.printf("%s/%s has %d ranges on %s nodes%n", account, table, ranges, state.get("nodes"));
      out.flush();
      return 0;
    }

    /** Makes one step after another until nothing waits, or nothing has changed for a while. */
    private static Map<String, String> split(AdminClient client, Map<String, String> arguments)
        throws InterruptedException {
      Map<String, String> state = client.call("partitions-split", arguments);
      long changed = System.nanoTime();
      while (number(state, "waiting") > 0
          && System.nanoTime() - changed < UNCHANGED_MAX.toNanos()) {
        LockSupport.parkNanos(PAUSE.toNanos());
        Map<String, String> next = client.call("partitions-split", arguments);
        if (number(next, "waiting") != number(state, "waiting")
            || number(next, "boundaries") != number(state, "boundaries")) {
          changed = System.nanoTime();
        }
        state = next;
      }
      return state;
    }

    private static int number(Map<String, String> state, String name) {
      return Integer.parseInt(state.getOrDefault(name, "0"));
    }
  }
}
