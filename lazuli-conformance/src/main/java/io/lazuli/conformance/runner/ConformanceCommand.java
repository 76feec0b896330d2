package io.lazuli.conformance.runner;

import io.lazuli.conformance.Account;
import io.lazuli.conformance.AccountUnderTest;
import io.lazuli.conformance.Area;
import io.lazuli.conformance.CleanUp;
import io.lazuli.conformance.StorageService;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.DiscoverySelector;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command {@code lazuli conformance}: runs the cases against an endpoint and reports the
 * results. The exit code is 0 if all cases pass, 1 if some fail, and 2 if the options are wrong or
 * the endpoint cannot be tested. The key is never printed.
 */
@Command(
    name = "lazuli conformance",
    description = {
      "Test how faithfully an endpoint implements the protocol. The endpoint may be Azure or an"
          + " emulator. Without --endpoint, the server of this build is tested."
    },
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footer = {
      "",
      "The tables, queues and containers that the cases create have new names and are removed.",
      "Exit code: 0 all pass, 1 some fail, 2 wrong options or the endpoint cannot be tested."
    })
public final class ConformanceCommand implements Callable<Integer> {

  static final String KEY_VARIABLE = "LAZULI_CONFORMANCE_KEY";

  private static final String ONE_PORT = "--one-port";
  private static final int FAILURE = 2;

  private final Map<String, String> environment;
  private final InputStream input;
  private final List<? extends DiscoverySelector> where;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--endpoint",
      order = 1,
      paramLabel = "URL",
      description = {
        "The endpoint to test, such as https://NAME.table.core.windows.net or",
        "http://127.0.0.1:10002/devstoreaccount1. It must match --service."
      })
  private @Nullable String endpoint;

  @Option(
      names = "--account",
      order = 2,
      paramLabel = "NAME",
      description = "The name of the account. Default: devstoreaccount1")
  private @Nullable String accountName;

  @Option(
      names = "--key",
      order = 3,
      paramLabel = "KEY",
      description = {
        "The account's key, or - to read it from standard input.",
        "Default: the environment variable " + KEY_VARIABLE + ",",
        "or the development key for devstoreaccount1."
      })
  private @Nullable String key;

  @Option(
      names = "--service",
      order = 4,
      paramLabel = "SERVICE",
      description = "The service of the endpoint: table, queue or blob. Default: table")
  private @Nullable StorageService service;

  @Option(
      names = "--area",
      order = 5,
      paramLabel = "AREA",
      description = "Run only this area; may be repeated. Areas: ${COMPLETION-CANDIDATES}")
  private Set<Area> areas = EnumSet.noneOf(Area.class);

  @Option(
      names = "--label",
      order = 6,
      paramLabel = "TEXT",
      description = "The name of the tested service in the reports, such as \"Azurite 3.37.0\".")
  private @Nullable String label;

  @Option(
      names = "--note",
      order = 7,
      paramLabel = "TEXT",
      description = "A note for the reports on how the service was set up.")
  private String note = "";

  @Option(
      names = "--json",
      order = 8,
      paramLabel = "FILE",
      description = "Write the results of all cases to this file.")
  private @Nullable Path json;

  @Option(
      names = "--markdown",
      order = 9,
      paramLabel = "FILE",
      description = "Write a readable report to this file.")
  private @Nullable Path markdown;

  @Option(
      names = "--time-limit",
      order = 10,
      paramLabel = "SECONDS",
      description = "Fail a case after this time. Default: ${DEFAULT-VALUE}")
  private long caseSecondsMax = 300;

  @Option(names = "--long", order = 11, description = "Also run the cases that take minutes.")
  private boolean withLong;

  @Option(
      names = ONE_PORT,
      order = 12,
      description = {
        "Start the server of this build with --one-port: all services are on one port, and hosts",
        "like devstoreaccount1.blob.localhost name the account and the service."
      })
  private boolean onePort;

  @Option(
      names = "--compare",
      order = 13,
      arity = "1..*",
      paramLabel = "FILE",
      description = "Run nothing; compare the JSON files of earlier runs on one page.")
  private List<Path> compared = new ArrayList<>();

  ConformanceCommand(
      Map<String, String> environment, InputStream input, List<? extends DiscoverySelector> where) {
    this.environment = Map.copyOf(environment);
    this.input = input;
    this.where = List.copyOf(where);
  }

  /**
   * Runs the command. The start scripts pass on all their arguments, of which the first is {@code
   * conformance}.
   */
  public static void main(String[] args) throws IOException {
    if (Arrays.asList(args).contains(ONE_PORT)) {
      LoopbackHosts.resolve();
    }
    ConformanceCommand command =
        new ConformanceCommand(System.getenv(), System.in, Selection.everything());
    boolean named = args.length > 0 && args[0].equals("conformance");
    String[] options = Arrays.copyOfRange(args, named ? 1 : 0, args.length);
    System.exit(command.commandLine().execute(options));
  }

  /** Returns the command line; executing it returns the exit code. */
  CommandLine commandLine() {
    String version = ConformanceCommand.class.getPackage().getImplementationVersion();
    CommandLine line = new CommandLine(this);
    line.getCommandSpec().version("lazuli conformance " + (version == null ? "" : version));
    return line.setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(
            (failure, args) -> {
              // Prints no usage: the list of all options would push the message off the screen.
              line.getErr().println("lazuli: " + failure.getMessage());
              line.getErr().println("See lazuli conformance --help.");
              return FAILURE;
            })
        .setExecutionExceptionHandler(
            (failure, failed, parsed) -> {
              failed.getErr().println("lazuli: " + failure.getMessage());
              return FAILURE;
            });
  }

  @Override
  public Integer call() throws IOException {
    checkFolder(json);
    checkFolder(markdown);
    return compared.isEmpty() ? test() : compare();
  }

  private int compare() throws IOException {
    List<Report> reports = new ArrayList<>();
    for (Path file : compared) {
      reports.add(ReportJson.read(file));
    }
    String page = ReportMarkdown.comparison(reports);
    if (markdown == null) {
      out().print(page);
      out().flush();
    } else {
      Files.writeString(markdown, page);
    }
    return 0;
  }

  private int test() throws IOException {
    if (endpoint != null && onePort) {
      throw new ParameterException(
          spec.commandLine(), "--one-port and --endpoint exclude each other");
    }
    if (onePort) {
      AccountUnderTest.chooseOnePort();
    }
    if (endpoint != null) {
      AccountUnderTest.choose(account(endpoint));
    } else if (accountName != null || key != null) {
      throw new ParameterException(spec.commandLine(), "--account and --key need --endpoint");
    }
    Account account = AccountUnderTest.get(service());
    Probe probe = Probe.of(account);
    if (!probe.isGood()) {
      err().println("lazuli: " + probe.problem());
      return FAILURE;
    }
    return test(account, probe);
  }

  private int test(Account account, Probe probe) throws IOException {
    long startNanos = System.nanoTime();
    SuiteRun run =
        new SuiteRun(
            new Progress(err()),
            text -> text.replace(account.key(), "(key)"),
            () -> Probe.of(account).isGood());
    List<CaseResult> results = run.run(selection(), caseSecondsMax);
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNanos);
    cleanUp();
    if (results.isEmpty()) {
      err().println("lazuli: this service has no cases in this area");
      return FAILURE;
    }
    LocalDate today = LocalDate.now(ZoneOffset.UTC);
    Report report = new Report(label(probe), note, account.base(), today, seconds, results);
    publish(report);
    if (run.wasStopped()) {
      err().println("lazuli: stopped, because " + account.base() + " does not answer any more");
      return FAILURE;
    }
    return report.total().failed() == 0 ? 0 : 1;
  }

  private StorageService service() {
    return service == null ? StorageService.TABLE : service;
  }

  /**
   * Selects the cases to run. A given endpoint serves one service; the packed server serves all.
   * Cases that start servers of their own would not use the one port.
   */
  private Selection selection() {
    boolean elsewhere = AccountUnderTest.isElsewhere();
    boolean all = service == null && !elsewhere;
    Set<StorageService> services =
        all ? EnumSet.allOf(StorageService.class) : EnumSet.of(service());
    return new Selection(where, services, areas, elsewhere || onePort, withLong);
  }

  private void cleanUp() {
    if (CleanUp.pending() > 0) {
      err().println("removing " + CleanUp.pending() + " created resources");
      err().flush();
      CleanUp.run();
    }
  }

  private void publish(Report report) throws IOException {
    ScoreCard.print(report, out());
    if (json != null) {
      ReportJson.write(report, json);
    }
    if (markdown != null) {
      Files.writeString(markdown, ReportMarkdown.full(report));
    }
  }

  private Account account(String url) throws IOException {
    String name = accountName == null ? Account.DEVELOPMENT_NAME : accountName;
    return new Account(name, key(name), service(), address(url));
  }

  private URI address(String url) {
    try {
      URI address = new URI(url);
      String scheme = address.getScheme();
      if (address.getHost() != null && ("http".equals(scheme) || "https".equals(scheme))) {
        return address;
      }
    } catch (URISyntaxException e) {
      // Reported below, like an unsupported scheme.
    }
    throw new ParameterException(spec.commandLine(), "not an http or https address: " + url);
  }

  private String key(String name) throws IOException {
    String given = key == null ? environment.get(KEY_VARIABLE) : key;
    if ("-".equals(given)) {
      given = new BufferedReader(new InputStreamReader(input, StandardCharsets.UTF_8)).readLine();
    }
    if (given == null && name.equals(Account.DEVELOPMENT_NAME)) {
      return Account.DEVELOPMENT_KEY;
    }
    if (given == null || !isBase64(given.strip())) {
      throw new ParameterException(
          spec.commandLine(),
          "the key of %s is %s: give --key, or --key - and standard input, or %s"
              .formatted(name, given == null ? "missing" : "not base64", KEY_VARIABLE));
    }
    return given.strip();
  }

  private static boolean isBase64(String text) {
    try {
      return Base64.getDecoder().decode(text).length > 0;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private String label(Probe probe) throws IOException {
    if (label != null) {
      return label;
    }
    if (AccountUnderTest.isElsewhere()) {
      return probe.server().isEmpty() ? "endpoint" : probe.server().replace('/', ' ');
    }
    try (JarFile jar = new JarFile(AccountUnderTest.serverJar().toFile())) {
      Attributes attributes = jar.getManifest().getMainAttributes();
      String version = attributes.getValue(Attributes.Name.IMPLEMENTATION_VERSION);
      return "Lazuli " + version + (onePort ? ", one port" : "");
    }
  }

  /** Checks that the folder exists before the run, which takes minutes, rather than after it. */
  private void checkFolder(@Nullable Path file) {
    Path folder = file == null ? null : file.toAbsolutePath().getParent();
    if (folder != null && !Files.isDirectory(folder)) {
      throw new ParameterException(spec.commandLine(), "the folder of " + file + " does not exist");
    }
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private PrintWriter err() {
    return spec.commandLine().getErr();
  }
}
