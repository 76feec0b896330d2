package io.lazuli.server.cli;

import io.lazuli.server.account.Account;
import io.lazuli.server.account.AccountKey;
import io.lazuli.server.account.AccountOptions;
import io.lazuli.server.account.AccountSet;
import io.lazuli.server.admin.AdminClient;
import java.io.PrintWriter;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code lazuli account}: edits the accounts file. No server needs to run; a running server sees
 * the change within two seconds. {@code add}, {@code keys} and {@code rotate} print keys.
 */
@Command(
    name = "account",
    description = "Add, list, change and remove storage accounts.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.class,
    footer = {"", "A running server sees a change within two seconds."})
final class AccountCommand implements Runnable {
  private static final String NAME = "3 to 24 lower-case letters and digits.";

  private final SecureRandom randomness = new SecureRandom();
  private final Secrets secrets;
  private final Map<String, String> environment;

  @Spec private CommandSpec spec;

  AccountCommand(Secrets secrets, Map<String, String> environment) {
    this.secrets = secrets;
    this.environment = environment;
    this.spec = CommandSpec.create();
  }

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "missing command: add, list, keys, rotate, set, revoke-delegation, disable, enable or remove");
  }

  @Command(
      name = "add",
      description = "Add an account with two keys, and print them.",
      mixinStandardHelpOptions = true)
  int add(
      @Mixin EndpointOptions server,
      @Parameters(paramLabel = "NAME", description = NAME) String name,
      @Option(names = "--key1", paramLabel = "KEY", description = Secrets.HELP)
          @Nullable String key1,
      @Option(names = "--key2", paramLabel = "KEY", description = Secrets.HELP)
          @Nullable String key2) {
    AccountKey first = keyOrNew(key1);
    AccountKey second = keyOrNew(key2);
    return printed(
        server.file(environment).edit(set -> set.add(name, first, second)).require(name), server);
  }

  @Command(
      name = "list",
      description = "Print the names and states of all accounts.",
      mixinStandardHelpOptions = true)
  int list(@Mixin AccountsOption accounts) {
    for (Account account : accounts.existingFile(environment).read().accounts()) {
      out().printf("%-24s %s%n", account.name(), described(account.state()));
    }
    out().flush();
    return 0;
  }

  @Command(
      name = "keys",
      description = "Print an account's keys and its connection string.",
      mixinStandardHelpOptions = true)
  int keys(@Mixin EndpointOptions server, @Parameters(paramLabel = "NAME") String name) {
    return printed(server.existingFile(environment).read().require(name), server);
  }

  @Command(
      name = "rotate",
      description = {
        "Replace one of the keys, and print both.",
        "The server then refuses everything that the old key signed, shared access signatures too."
      },
      mixinStandardHelpOptions = true)
  int rotate(
      @Mixin EndpointOptions server,
      @Parameters(paramLabel = "NAME") String name,
      @Option(
              names = "--key",
              required = true,
              paramLabel = "1|2",
              description = "The key to replace.")
          int number,
      @Option(names = "--value", paramLabel = "KEY", description = Secrets.HELP)
          @Nullable String value) {
    if (number != 1 && number != 2) {
      throw new ParameterException(spec.commandLine(), "--key must be 1 or 2");
    }
    AccountKey key = keyOrNew(value);
    return printed(
        server.existingFile(environment).edit(set -> set.rotate(name, number, key)).require(name),
        server);
  }

  @Command(
      name = "set",
      description = "Switch features of an account on or off. Its data stays as it is.",
      mixinStandardHelpOptions = true)
  int set(
      @Mixin AccountsOption accounts,
      @Parameters(paramLabel = "NAME") String name,
      @Option(
              names = "--blob-versioning",
              paramLabel = "on|off",
              description = "Keep replaced and deleted blobs as versions.")
          @Nullable String versioning,
      @Option(
              names = "--blob-immutability",
              paramLabel = "on|off",
              description =
                  "Accept immutability policies and legal holds. Needs blob versions. Those that"
                      + " blobs have already stay in force when it is off.")
          @Nullable String immutability,
      @Option(
              names = "--container-retention-days",
              paramLabel = "DAYS",
              description =
                  "Keep deleted containers for 1 to 365 days, in which they can be restored; 0 to"
                      + " delete them for good.")
          @Nullable Integer days,
      @Option(
              names = "--no-shared-key",
              paramLabel = "on|off",
              description =
                  "Refuse the keys of the account and signatures made with them; callers need"
                      + " tokens.")
          @Nullable String noSharedKey) {
    if (versioning == null && immutability == null && days == null && noSharedKey == null) {
      throw new ParameterException(spec.commandLine(), "name a feature to switch");
    } else if (days != null && (days < 0 || days > AccountOptions.RETENTION_DAYS_MAX)) {
      throw new ParameterException(
          spec.commandLine(), "--container-retention-days must be from 0 to 365");
    }
    UnaryOperator<AccountOptions> change =
        options ->
            options
                .withBlobVersioning(isOn("--blob-versioning", versioning, options.blobVersioning()))
                .withBlobImmutability(
                    isOn("--blob-immutability", immutability, options.blobImmutability()))
                .withContainerRetentionDays(days == null ? options.containerRetentionDays() : days)
                .withNoSharedKey(isOn("--no-shared-key", noSharedKey, options.noSharedKey()));
    List<String> said = new ArrayList<>();
    if (versioning != null) {
      said.add("blob versions are " + versioning);
    }
    if (immutability != null) {
      said.add("immutability policies are " + immutability);
    }
    if (days != null) {
      said.add("deleted containers are kept for " + days + (days == 1 ? " day" : " days"));
    }
    if (noSharedKey != null) {
      said.add("keys are " + (noSharedKey.equals("on") ? "refused" : "accepted"));
    }
    return edited(
        accounts,
        set -> set.configure(name, options -> consistent(change.apply(options))),
        name + ": " + String.join(", ", said));
  }

  private boolean isOn(String option, @Nullable String value, boolean before) {
    if (value != null && !value.equals("on") && !value.equals("off")) {
      throw new ParameterException(spec.commandLine(), option + " must be on or off");
    }
    return value == null ? before : value.equals("on");
  }

  private AccountOptions consistent(AccountOptions options) {
    if (!options.isConsistent()) {
      throw new ParameterException(
          spec.commandLine(), "immutability policies need blob versions: --blob-versioning on");
    }
    return options;
  }

  @Command(
      name = "revoke-delegation",
      description =
          "End all user delegation keys of an account, and the signatures made with them. The"
              + " server must run.",
      mixinStandardHelpOptions = true)
  int revokeDelegation(@Mixin ServerOptions server, @Parameters(paramLabel = "NAME") String name)
      throws InterruptedException {
    AdminClient.of(server.read(environment).store().folder())
        .call("revoke-delegation", Map.of("account", name));
    out().println("the user delegation keys of " + name + " are revoked");
    out().flush();
    return 0;
  }

  @Command(
      name = "disable",
      description = "Refuse all requests to an account with 403 AccountIsDisabled.",
      mixinStandardHelpOptions = true)
  int disable(@Mixin AccountsOption accounts, @Parameters(paramLabel = "NAME") String name) {
    return edited(accounts, set -> set.disable(name), name + " is disabled");
  }

  @Command(
      name = "enable",
      description = "Enable a disabled account.",
      mixinStandardHelpOptions = true)
  int enable(@Mixin AccountsOption accounts, @Parameters(paramLabel = "NAME") String name) {
    return edited(accounts, set -> set.enable(name), name + " is enabled");
  }

  @Command(
      name = "remove",
      description =
          "Remove an account and its keys. Its data is kept, and is back if you add it again.",
      mixinStandardHelpOptions = true)
  int remove(
      @Mixin AccountsOption accounts,
      @Parameters(paramLabel = "NAME") String name,
      @Option(
              names = "--drop-data",
              description = "Drop its data too: now if the server runs, otherwise when it starts.")
          boolean dropData) {
    return dropData
        ? edited(accounts, set -> set.removeWithData(name), name + " is removed with its data")
        : edited(accounts, set -> set.remove(name), name + " is removed; its data is kept");
  }

  private int edited(AccountsOption accounts, UnaryOperator<AccountSet> change, String done) {
    accounts.existingFile(environment).edit(change);
    out().println(done);
    out().flush();
    return 0;
  }

  private int printed(Account account, EndpointOptions server) {
    PrintWriter out = out();
    out.println("account  " + account.name());
    out.println("key1     " + account.keys().get(0).base64());
    out.println("key2     " + account.keys().get(1).base64());
    out.println(server.connectionString(account, environment));
    out.flush();
    return 0;
  }

  private AccountKey keyOrNew(@Nullable String given) {
    return given == null ? AccountKey.random(randomness) : secrets.key(spec.commandLine(), given);
  }

  private static String described(Account.State state) {
    return switch (state) {
      case ENABLED, DISABLED -> state.name().toLowerCase(Locale.ROOT);
      case REMOVED -> "removed, the data is kept";
      case DROPPING -> "removed, the data is being dropped";
    };
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
