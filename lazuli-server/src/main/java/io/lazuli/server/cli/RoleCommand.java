package io.lazuli.server.cli;

import io.lazuli.server.config.ServerConfig;
import io.lazuli.server.role.Principal;
import io.lazuli.server.role.Role;
import io.lazuli.server.role.RoleAssignment;
import io.lazuli.server.role.RoleFile;
import io.lazuli.server.role.RoleSet;
import io.lazuli.server.role.Scope;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code lazuli role}: edits the roles file. No server needs to run; a running server sees the
 * change within two seconds.
 */
@Command(
    name = "role",
    description = "Add, list and remove the roles of callers with tokens.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.class,
    footer = {
      "",
      "Example: lazuli role add storage-blob-data-reader contoso/blob/photos --group editors",
      "A running server sees a change within two seconds."
    })
final class RoleCommand implements Runnable {
  private static final String ROLE = "Azure's name of the role, such as storage-table-data-reader.";
  private static final String SCOPE =
      "ACCOUNT, ACCOUNT/SERVICE or ACCOUNT/SERVICE/NAME, where SERVICE is blob, queue or table; or /,"
          + " the admin port, for the roles lazuli-reader, -editor, -operator and -admin.";

  private final Map<String, String> environment;

  @Spec private CommandSpec spec;

  RoleCommand(Map<String, String> environment) {
    this.environment = environment;
    this.spec = CommandSpec.create();
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "missing command: add, list or remove");
  }

  /**
   * The option that names the roles file of a command. By default it is the configured server's.
   */
  static final class RolesOption extends ServerOptions {
    @Option(
        names = "--roles",
        paramLabel = "FILE",
        description = "The roles file. Default: roles in the data folder")
    void roles(String named) {
      put("roles", named);
    }

    /** Returns the roles file, which may not exist yet. */
    RoleFile file(Map<String, String> environment) {
      ServerConfig server = read(environment);
      Path named = server.accounts().roles();
      return named == null ? RoleFile.inside(server.store().folder()) : new RoleFile(named);
    }
  }

  /** The options that name a principal. */
  static final class PrincipalOptions {
    @Option(names = "--oid", paramLabel = "ID", description = "The object id (oid) in the token.")
    @Nullable String oid;

    @Option(
        names = "--app",
        paramLabel = "ID",
        description = "The application (appid or azp) in the token.")
    @Nullable String app;

    @Option(names = "--sub", paramLabel = "TEXT", description = "The subject (sub) in the token.")
    @Nullable String sub;

    @Option(
        names = "--group",
        paramLabel = "GROUP",
        description = "A group that the token lists (groups).")
    @Nullable String group;

    @Option(
        names = "--app-role",
        paramLabel = "NAME",
        description = "An application role that the token lists (roles).")
    @Nullable String appRole;

    @Option(
        names = "--issuer",
        paramLabel = "URL",
        description = "Only for tokens of this issuer. Default: every issuer of the server.")
    @Nullable String issuer;

    private List<Principal> named() {
      List<Principal> named = new ArrayList<>();
      add(named, Principal.Kind.OID, oid);
      add(named, Principal.Kind.APP, app);
      add(named, Principal.Kind.SUB, sub);
      add(named, Principal.Kind.GROUP, group);
      add(named, Principal.Kind.ROLE, appRole);
      return named;
    }

    private static void add(List<Principal> named, Principal.Kind kind, @Nullable String value) {
      if (value != null) {
        named.add(new Principal(kind, value.strip()));
      }
    }
  }

  @Command(
      name = "add",
      description = "Give a role to a principal.",
      mixinStandardHelpOptions = true)
  int add(
      @Mixin RolesOption roles,
      @Parameters(index = "0", paramLabel = "ROLE", description = ROLE) String role,
      @Parameters(index = "1", paramLabel = "SCOPE", description = SCOPE) String scope,
      @Mixin PrincipalOptions principal) {
    return edited(roles, assignment(role, scope, principal), RoleSet::add, "added");
  }

  @Command(
      name = "remove",
      description = "Take a role away. Name it as it was added.",
      mixinStandardHelpOptions = true)
  int remove(
      @Mixin RolesOption roles,
      @Parameters(index = "0", paramLabel = "ROLE", description = ROLE) String role,
      @Parameters(index = "1", paramLabel = "SCOPE", description = SCOPE) String scope,
      @Mixin PrincipalOptions principal) {
    return edited(roles, assignment(role, scope, principal), RoleSet::remove, "removed");
  }

  @Command(name = "list", description = "List all roles.", mixinStandardHelpOptions = true)
  int list(@Mixin RolesOption roles) {
    PrintWriter out = spec.commandLine().getOut();
    roles.file(environment).read().assignments().forEach(one -> out.println(described(one)));
    out.flush();
    return 0;
  }

  private RoleAssignment assignment(String role, String scope, PrincipalOptions principal) {
    List<Principal> named = principal.named();
    if (named.size() != 1 || !isOneLine(named.get(0).value())) {
      throw new ParameterException(
          spec.commandLine(), "name one principal: --oid, --app, --sub, --group or --app-role");
    }
    String issuer = principal.issuer == null ? RoleAssignment.ANY_ISSUER : principal.issuer;
    if (!issuer.matches("\\S+")) {
      throw new ParameterException(spec.commandLine(), "--issuer must be a URL");
    }
    return new RoleAssignment(
        Role.named(role)
            .orElseThrow(
                () ->
                    new ParameterException(
                        spec.commandLine(), "unknown role; the roles are " + Role.names())),
        Scope.parse(scope)
            .orElseThrow(
                () -> new ParameterException(spec.commandLine(), "the scope must be " + SCOPE)),
        issuer,
        named.get(0));
  }

  private static boolean isOneLine(String value) {
    return !value.isBlank() && value.chars().noneMatch(Character::isISOControl);
  }

  private int edited(
      RolesOption roles,
      RoleAssignment one,
      BiFunction<RoleSet, RoleAssignment, RoleSet> change,
      String done) {
    roles.file(environment).edit(set -> change.apply(set, one));
    PrintWriter out = spec.commandLine().getOut();
    out.println(done + ": " + described(one));
    out.flush();
    return 0;
  }

  private static String described(RoleAssignment one) {
    String issuer =
        one.issuer().equals(RoleAssignment.ANY_ISSUER) ? "" : " of the issuer " + one.issuer();
    return "%s on %s for %s %s%s"
        .formatted(
            one.role().title(),
            one.scope(),
            one.principal().kind().word(),
            one.principal().value(),
            issuer);
  }
}
