package io.lazuli.server.cli;

import io.lazuli.server.admin.AdminClient;
import io.lazuli.server.admin.RefusedCommandException;
import io.lazuli.server.console.session.Passwords;
import io.lazuli.server.console.session.Role;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code lazuli console}: prints a link that signs in to the console of the running server. */
@Command(
    name = "console",
    description = {
      "Print a link that signs in to the console of the running server, once and within a minute.",
      "With --user, print the line of a user for the file console-users instead."
    },
    mixinStandardHelpOptions = true,
    versionProvider = Main.class)
final class ConsoleCommand implements Callable<Integer> {
  @Mixin private ServerOptions server = new ServerOptions();

  @Option(
      names = "--user",
      paramLabel = "NAME",
      description = "Print the line of this user. The password is a line of the standard input.")
  private @Nullable String user;

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      defaultValue = "reader",
      description = "The role of the user: reader, editor, operator or admin. Default: reader")
  private Role role = Role.READER;

  private final Secrets secrets;
  private final Map<String, String> environment;

  @Spec private CommandSpec spec;

  ConsoleCommand(Secrets secrets, Map<String, String> environment) {
    this.secrets = secrets;
    this.environment = environment;
    spec = CommandSpec.create();
  }

  @Override
  public Integer call() throws InterruptedException, IOException {
    PrintWriter out = spec.commandLine().getOut();
    out.println(user == null ? link() : line(user));
    out.flush();
    return 0;
  }

  private String link() throws InterruptedException {
    return AdminClient.of(server.read(environment).store().folder())
        .call("console", Map.of())
        .getOrDefault("link", "");
  }

  private String line(String name) throws IOException {
    if (!name.matches("[\\w.@-]{1,64}")) {
      throw new RefusedCommandException(
          "the name of a user has letters, digits, dots, @, - and _, at most 64");
    }
    String password = secrets.input().readLine();
    if (password == null || password.length() < 8) {
      throw new RefusedCommandException("the password needs at least 8 characters");
    }
    return Passwords.line(name, role, password);
  }
}
