package io.lazuli.server.cli;

import io.lazuli.server.account.Account;
import io.lazuli.server.account.AccountKey;
import io.lazuli.server.auth.RequestHead;
import io.lazuli.server.auth.SignatureExplainer;
import io.lazuli.server.auth.SignatureExplanation;
import io.lazuli.server.auth.SignedField;
import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.http.Address;
import io.lazuli.server.http.Query;
import io.lazuli.server.http.Request;
import io.lazuli.server.pipeline.Addressing;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code lazuli explain-signature}: prints the text that a request signs, field by field, and how
 * it differs from the signature that was sent. The exit code is 0 if the signature is correct, 1 if
 * it is not, and 2 for a wrong command line. It never prints a key.
 */
@Command(
    name = "explain-signature",
    description = {
      "Show what a request must sign, field by field, and what is wrong with its signature.",
      "The exit code is 0 if the signature is correct, and 1 if it is not."
    },
    mixinStandardHelpOptions = true,
    versionProvider = Main.class,
    sortOptions = false)
final class ExplainSignatureCommand implements Callable<Integer> {
  /** The parts of a host that reveal the service. The first match counts. */
  private static final List<Map.Entry<String, String>> SERVICE_MARKS =
      List.of(
          Map.entry(".blob.", "blob"),
          Map.entry(".queue.", "queue"),
          Map.entry(".table.", "table"),
          Map.entry(":10000", "blob"),
          Map.entry(":10001", "queue"),
          Map.entry(":10002", "table"));

  private final Secrets secrets;
  private final Map<String, String> environment;
  private final RequestHead head = new RequestHead();

  @Spec private CommandSpec spec;

  @Mixin private AccountsOption accounts = new AccountsOption();

  @Option(
      names = "--account",
      paramLabel = "NAME",
      description = "The account. Default: the one that the request is addressed to")
  private @Nullable String accountName;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description = {"The account's key, if it is not in the accounts file:", Secrets.HELP})
  private @Nullable String givenKey;

  @Option(
      names = "--service",
      paramLabel = "SERVICE",
      description = "blob, queue or table. Default: derived from the host or the port")
  private @Nullable String service;

  @Option(
      names = "--from",
      paramLabel = "ADDRESS",
      defaultValue = "127.0.0.1",
      description = "The client's address, for signatures with sip. Default: ${DEFAULT-VALUE}")
  private String from = "";

  @Option(
      names = "--at",
      paramLabel = "TIME",
      description = "Check dates as of this time, like 2034-01-01T00:00:00Z. Default: now")
  private @Nullable String at;

  ExplainSignatureCommand(Secrets secrets, Map<String, String> environment) {
    this.secrets = secrets;
    this.environment = environment;
    this.spec = CommandSpec.create();
  }

  @Option(
      names = {"-X", "--method"},
      paramLabel = "METHOD",
      description = "Default: GET")
  void method(String method) {
    head.method(method);
  }

  @Option(
      names = {"-H", "--header"},
      paramLabel = "'NAME: VALUE'",
      description = "A header of the request. May be repeated.")
  private List<String> headers = new ArrayList<>();

  @Parameters(
      arity = "0..1",
      paramLabel = "URL",
      description = "The URL of the request, with its query.")
  void url(@Nullable String url) {
    if (url != null) {
      head.url(url);
    }
  }

  @Option(
      names = "--request",
      paramLabel = "FILE",
      description = "The output of curl -v, an SDK's log or a proxy; - for the standard input.")
  void request(Path file) throws IOException {
    try (BufferedReader lines =
        file.toString().equals("-") ? secrets.input() : Files.newBufferedReader(file)) {
      lines.lines().limit(1_000).forEach(head::line);
    } catch (IOException e) {
      throw new ParameterException(spec.commandLine(), "cannot read " + file);
    }
  }

  @Override
  public Integer call() {
    readHeaders();
    if (!head.hasTarget()) {
      throw new ParameterException(spec.commandLine(), "the URL of the request is missing");
    }
    SignatureExplainer explainer = explainer();
    Request request = head.request(from);
    if (request.query() == Query.UNREADABLE) {
      throw new ParameterException(
          spec.commandLine(), "the query of the URL has an invalid escape");
    }
    List<Account> known = known();
    Address address = addressing(known).find(request);
    Account account = account(known, address);
    boolean named = address.account().equals(account.name());
    SignatureExplanation found =
        explainer.explain(
            request.withAddress(named ? address : inHost(account, request)), account, known);
    print(account, found, named);
    return found.isRight() && named ? 0 : 1;
  }

  private static Address inHost(Account account, Request request) {
    return new Address(account.name(), false, request.rawPath(), "");
  }

  private void readHeaders() {
    for (String line : headers) {
      if (!head.header(line)) {
        throw new ParameterException(
            spec.commandLine(), "a header must have the form 'NAME: VALUE'");
      }
    }
  }

  private SignatureExplainer explainer() {
    SignatureExplainer explainer =
        SignatureExplainer.ofService(
            service(), clock(), ServerConfig.builder().build().protocol().dateWindow());
    if (explainer == null) {
      throw new ParameterException(spec.commandLine(), "there is no " + service() + " service");
    }
    return explainer;
  }

  private String service() {
    String found = findService();
    return found.isEmpty() ? "table" : found;
  }

  /** Returns an empty text if neither the option nor the host names the service. */
  private String findService() {
    if (service != null) {
      return service;
    }
    String host = head.host();
    return SERVICE_MARKS.stream()
        .filter(mark -> host.contains(mark.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("");
  }

  private Clock clock() {
    try {
      return at == null ? Clock.systemUTC() : Clock.fixed(Instant.parse(at), ZoneOffset.UTC);
    } catch (DateTimeException e) {
      throw new ParameterException(
          spec.commandLine(), "a time must have the form 2034-01-01T00:00:00Z");
    }
  }

  private List<Account> known() {
    List<Account> known = new ArrayList<>(accounts.file(environment).read().accounts());
    known.add(Account.development());
    if (accountName != null && givenKey != null) {
      AccountKey key = secrets.key(spec.commandLine(), givenKey);
      known.removeIf(account -> account.name().equals(accountName));
      known.add(new Account(accountName, List.of(key)));
    }
    return known;
  }

  private Addressing addressing(List<Account> known) {
    return new Addressing(
        service(), name -> known.stream().anyMatch(account -> account.name().equals(name)));
  }

  private Account account(List<Account> known, Address address) {
    String name = accountName == null ? address.account() : accountName;
    return known.stream()
        .filter(account -> account.name().equals(name) && !account.keys().isEmpty())
        .findAny()
        .orElseThrow(
            () ->
                new ParameterException(
                    spec.commandLine(),
                    "there is no key for the account '"
                        + name
                        + "'; name the file with --data or --accounts, or give --account"
                        + " and --key"));
  }

  private void print(Account account, SignatureExplanation found, boolean named) {
    PrintWriter out = spec.commandLine().getOut();
    out.println("account   " + account.name() + ", " + service() + " service");
    if (findService().isEmpty()) {
      out.println("          this is a guess; --service selects another service");
    }
    out.println("scheme    " + found.scheme());
    out.println("to sign   each field; \\n marks a line feed that is signed");
    int width = found.fields().stream().mapToInt(field -> field.name().length()).max().orElse(0);
    for (int i = 0; i < found.fields().size(); i++) {
      SignedField field = found.fields().get(i);
      boolean ends = i + 1 == found.fields().size() && !found.scheme().equals("account SAS");
      out.printf("  %-" + width + "s  %s%n", field.name(), field.value() + (ends ? "" : "\\n"));
    }
    for (int i = 0; i < found.expected().size(); i++) {
      boolean same = found.expected().get(i).equals(found.sent());
      out.println("key " + (i + 1) + "     " + found.expected().get(i) + (same ? "  as sent" : ""));
    }
    out.println("sent      " + (found.sent().isEmpty() ? "no signature" : found.sent()));
    out.println(
        "result    the signature "
            + (found.isRight() ? "is correct; " : "does not match; ")
            + (named ? found.answer() : "the server refuses it: 404 ResourceNotFound"));
    if (!named) {
      out.println(
          ("  - the URL does not name the account %s: its path must begin with it,"
                  + " or its host with %s.%s")
              .formatted(account.name(), account.name(), service()));
    }
    found.remarks().forEach(remark -> out.println("  - " + remark));
    out.flush();
  }
}
